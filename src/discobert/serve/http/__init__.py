"""The HTTP service: server, checks of requests, routes, schemas."""
