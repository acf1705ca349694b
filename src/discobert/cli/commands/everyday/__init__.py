"""Commands of everyday use: summaries and analyses of texts, the service, the model."""
