"""The Model Context Protocol: tools, over standard input and output or HTTP."""
