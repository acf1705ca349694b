"""A page that describes the HTTP surface, made of its OpenAPI description; no script, no CDN."""

from collections.abc import Iterator
from html import escape
from typing import Any


def docs_page(openapi: dict[str, Any]) -> str:
    """Write the page."""
    info = openapi["info"]
    parts = "\n".join(
        part
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
        for part in _operation(openapi, path, method, operation)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(info["title"])} {escape(info["version"])}: HTTP</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/design.css">
<link rel="stylesheet" href="/static/app.css">
<link rel="stylesheet" href="/static/docs.css">
</head>
<body>
<div class="top" role="banner">
<a class="brand" href="/"><svg viewBox="0 0 20 20" aria-hidden="true">
<path d="M3 4h14M3 10h9M3 16h12"/></svg>discobert</a>
<nav aria-label="Service"><a href="/">Try it</a></nav>
</div>
<main class="api">
<h1>{escape(info["title"])} {escape(info["version"])}</h1>
<p class="lead">{escape(info["description"])}</p>
<p>The same for programs: <a href="/openapi.json">openapi.json</a>.
Errors are <code>{{"error": {{"code", "message"}}}}</code>.</p>
<pre>curl -s http://127.0.0.1:8000/v1/summarize -H 'content-type: application/json' \\
  -d '{{"text": "…", "words": 60}}'</pre>
{parts}
</main>
</body>
</html>
"""


def _operation(
    openapi: dict[str, Any], path: str, method: str, operation: dict[str, Any]
) -> Iterator[str]:
    yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield f"<p>{escape(operation.get('description', ''))}</p>"
    yield from _members("Parameters", dict(_parameters(operation)))
    content = operation.get("requestBody", {}).get("content", {})
    for kind, body in content.items():
        members = _properties(openapi, body["schema"])
        yield from _members(f"Body: <code>{escape(kind)}</code>", members)
        if not members:
            yield f"<p>Body: <code>{escape(kind)}</code></p>"
    answer = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    yield from _members("Answer", _properties(openapi, answer.get("schema", {})))


def _parameters(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for parameter in operation.get("parameters", ()):
        yield parameter["name"], {**parameter["schema"], **parameter}


def _properties(openapi: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "").rpartition("/")[2]
    found = openapi["components"]["schemas"].get(reference, schema)
    properties: dict[str, Any] = found.get("properties", {})
    return properties


def _members(title: str, members: dict[str, Any]) -> Iterator[str]:
    if not members:
        return
    yield f"<div class='wide'><table><caption>{title}</caption>"
    yield "<tr><th>name</th><th>type</th><th>meaning</th></tr>"
    for name, schema in members.items():
        meaning = escape(schema.get("description", ""))
        yield (
            f"<tr><td><code>{escape(name)}</code></td><td>{escape(_type(schema))}</td>"
            f"<td>{meaning}</td></tr>"
        )
    yield "</table></div>"


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        return f"{_type(schema.get('items', {}))}[]"
    return str(schema.get("const", schema.get("type", "any")))
