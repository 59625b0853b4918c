"""The whole reference as one Markdown file, and llms.txt, which says where it is."""

import re

from pages import GUIDES, TEXTS


def whole(pages):
    """tradepost.md"""
    info = pages.description.root["info"]
    parts = [f"# {info['title']}, {info['version']}", info["summary"], pages.text("start"), info["description"]]
    for name, title in GUIDES:
        parts += [pages.text(name)]
    for group in pages.groups:
        parts += [f"# {group['name']}", group["text"]]
        for each in group["operations"]:
            parts += _operation(each)
    parts.append("# Schemas")
    for each in pages.schemas():
        parts += [f"## {each['name']}", each["text"], _fields(each["rows"]) or _kind(each["row"])]
    parts += [pages.text(name) for name, _ in TEXTS]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(part.strip() for part in parts if part.strip())) + "\n"


def llms(pages):
    """llms.txt, in the form of llmstxt.org."""
    info = pages.description.root["info"]
    lines = [f"# {info['title']}", "", f"> {info['summary']}", "", "## Everything", "", "- [The whole reference as Markdown](/docs/tradepost.md)",
             "- [OpenAPI 3.1](/api/v1/openapi.json)", "- [Types for TypeScript](/docs/tradepost.d.ts)", "", "## Pages", ""]
    lines += [f"- [{title}](/docs/{name})" for name, title in GUIDES]
    lines += [f"- [{group['name']}](/docs/{group['page']}): {_first_sentence(group['text'])}" for group in pages.groups]
    lines += ["- [Schemas](/docs/schemas)"] + [f"- [{title}](/docs/{name})" for name, title in TEXTS]
    lines += ["", "## Clients", "", "- [PHP](/docs/Tradepost.php)", "- [Python](/docs/tradepost.py)", "- [JavaScript](/docs/tradepost.js)",
              "- [Postman](/docs/postman.json)"]
    return "\n".join(lines) + "\n"




def _first_sentence(text):
    return re.split(r"(?<=[.])\s", " ".join(text.split()))[0]


def _operation(each):
    heading = each["path"] if each["webhook"] else f"{each['method']} {each['path']}"
    parts = [f"## {each['summary']}", f"`{heading}` ({each['id']})", each["text"]]
    if not each["webhook"]:
        scopes = ", ".join(f"`{scope}`" for scope in each["scopes"])
        parts.append(f"Access: {each['access']}." + (f" Scope: {scopes}." if scopes else ""))
    for title, rows in each["parameters"]:
        parts += [f"### {title}", _fields(rows)]
    for body in each["bodies"]:
        parts += [f"### Body: {' or '.join(body['types'])}" + (f", {body['schema']}" if body["schema"] else "")]
        # A named schema stands below.
        parts += [] if body["schema"] else [_fields(body["rows"])]
    parts.append("### Answers")
    parts.append("\n".join(_answer(answer) for answer in each["answers"]))
    for key, title, text in each.get("examples", [])[:1]:
        parts.append(f"```sh\n{text}\n```")
    return parts


def _answer(answer):
    text = " ".join(answer["text"].split())
    errors = ", ".join(f"`{error}`" for error in answer["errors"])
    return f"- {answer['status']}: {text}" + (f" {answer['schema']}." if answer["good"] and answer["schema"] else "") + (f" {errors}" if errors else "")


def _fields(rows):
    return "\n".join(f"{'  ' * row['depth']}- `{row['name']}`{' (required)' if row['required'] else ''}: {_kind(row)}"
                     + (f". {' '.join(row['text'].split())}" if row["text"] else "") for row in rows)


def _kind(row):
    codes = ", ".join(f"`{code}`" for code in row["codes"])
    return ", ".join(each for each in [row["type"] + (" or null" if row["nullable"] else ""), *row["rules"], codes] if each)
