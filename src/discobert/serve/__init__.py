"""The HTTP service and the MCP server: a light front process, and workers that compute."""
