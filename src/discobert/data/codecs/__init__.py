"""Values as JSON objects, and back; JSON text of any depth."""
