"""Values to strings: text, JSON, Markdown, HTML and SVG. No input or output."""
