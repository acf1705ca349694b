"""Rating sheets as HTML and Markdown."""
