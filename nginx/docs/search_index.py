"""What the search of the pages looks through: a line for each operation, schema and section."""

import re

from pages import GUIDES, TEXTS, slug


def search_index(pages):
    """[title, kind, address, more words]; the browser reads it when somebody begins to search."""
    entries = [[heading, "Guide", f"./#{slug(heading)}", _plain(text)] for heading, text in _sections(pages.description.root["info"]["description"])]
    entries += _of_text(pages, "start", "Start", "./")
    for group in pages.groups:
        entries.append([group["name"], "Page", group["page"], _plain(group["text"])])
        for each in group["operations"]:
            names = [row["name"] for _, rows in each["parameters"] for row in rows] + [row["name"] for body in each["bodies"] for row in body["rows"]]
            errors = [error for answer in each["answers"] for error in answer["errors"]]
            words = f"{each['id']} {group['name']} {_plain(each['text'])} {' '.join(dict.fromkeys(names + errors))}"
            entries.append([each["summary"], f"{each['method']} {each['path']}", f"{group['page']}#{each['id']}", words])
    for each in pages.schemas():
        entries.append([each["name"], "Schema", f"schemas#{each['name']}", f"{_plain(each['text'])} {' '.join(row['name'] for row in each['rows'])}"])
    for name, title in GUIDES + TEXTS:
        entries += _of_text(pages, name, title, name)
    entries += [[title, "Page", name, ""] for name, title in GUIDES + TEXTS]
    return entries


def _of_text(pages, name, title, page):
    text = pages.text(name)
    return [[heading, title, f"{page}#{slug(heading)}", _plain(part)] for heading, part in _sections(text)]


def _sections(text):
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return zip(parts[1::2], parts[2::2])


def _plain(text):
    """Without marks, but words such as `Retry-After` and `insufficient_scope` stay whole."""
    return re.sub(r"[`*|>#\s]+|(?<!\w)[_-]+|[_-]+(?!\w)", " ", text).strip()
