"""The pages: what the templates show."""

import html
import json
import re
from pathlib import Path

import jinja2
import markdown
import markupsafe

import languages
from errors import texts
from examples import Request
from fields import Fields
from samples import Samples

# Pages that are written by hand: the name in the address, and what they are called. The guides stand before the operations.
GUIDES = (("guide", "Guide"),)
TEXTS = (("changelog", "Changelog"), ("deprecation", "Deprecation"))
# Headers of nearly every answer are on the first page only.
COMMON_HEADERS = ("X-Request-Id", "X-Content-Type-Options", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
                  "Cache-Control", "Access-Control-Allow-Origin")


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Pages:
    def __init__(self, description, here):
        self.description, self.here = description, here
        self.fields, self.samples = Fields(description), Samples(description)
        # Headings of the first page, to which texts refer as `"Search" above`.
        self.headings = re.findall(r"^## (.+)$", description.root["info"]["description"], re.M)
        self.environment = jinja2.Environment(loader=jinja2.FileSystemLoader(here / "templates"), autoescape=True, trim_blocks=True,
                                              lstrip_blocks=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
        self.environment.filters.update(md=self.markdown, line=self.line, slug=slug, code=self.code)
        self.examples = {}
        self.groups = [self._group(name, text) for name, text in description.tags]
        self.used = self._uses()

    def markdown(self, text):
        made = markdown.markdown(_lists_apart(text), extensions=["tables", "fenced_code", "toc"],
                                 extension_configs={"toc": {"slugify": lambda value, _: slug(value)}}, output_format="html")
        # A wide table or listing scrolls by itself, by keys too.
        made = made.replace("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table class="table">').replace("</table>", "</table></div>")
        made = made.replace("<pre>", '<pre tabindex="0">')
        return markupsafe.Markup(self._linked(made))

    def line(self, text):
        """Markdown of one paragraph, without the paragraph."""
        made = str(self.markdown(text)).strip()
        return markupsafe.Markup(made[3:-4] if made.startswith("<p>") and made.count("<p>") == 1 and made.endswith("</p>") else made)

    def _linked(self, made):
        for heading in self.headings:
            for quote in ('"', "&quot;"):
                made = made.replace(f"{quote}{html.escape(heading, quote=False)}{quote} above", f'<a href="./#{slug(heading)}">{html.escape(heading)}</a>')
        return made

    @staticmethod
    def code(value):
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def _group(self, name, text):
        operations = [self._operation(each) for each in self.description.operations if each.tag == name]
        return {"name": name, "page": slug(name), "text": text, "operations": operations}

    def _operation(self, operation):
        made = {
            "id": operation.id, "method": operation.method, "path": operation.path, "webhook": operation.webhook,
            "summary": operation.node.get("summary", operation.id), "text": operation.node.get("description", ""),
            "deprecated": operation.node.get("deprecated", False), "scopes": operation.scopes(), "access": _access(operation),
            "parameters": [(title, [self._parameter(each) for each in operation.parameters_in(place)])
                           for place, title in (("path", "In the path"), ("query", "In the query"), ("header", "Headers"))],
            "bodies": list(self._bodies(operation)),
            "answers": [self._answer(status, response) for status, response in operation.responses.items()],
        }
        made["parameters"] = [(title, rows) for title, rows in made["parameters"] if rows]
        if not operation.webhook:
            request = Request(operation, self.samples)
            written = languages.write(request)
            made["examples"] = [(key, title, written[key]) for key, title in languages.LANGUAGES]
            self.examples[operation.id] = {"method": operation.method, "path": operation.path, "tag": operation.tag, "values": request.values,
                                           "query": dict(request.query), "session": request.session, "body": request.json, **written}
        return made

    def _parameter(self, parameter):
        row = self.fields.row(parameter.get("schema", {}))
        return {"name": parameter["name"], "depth": 0, "required": parameter.get("required", False), **row,
                "text": parameter.get("description") or row["text"]}

    def _bodies(self, operation):
        """A body for each schema: a patch has the same one in two media types. A message of a webhook is always shown."""
        groups = []
        for media_type, media in operation.body.items():
            known = next((each for each in groups if each[1].get("schema") == media.get("schema")), None)
            if known:
                known[0].append(media_type)
            else:
                groups.append(([media_type], media))
        for types, media in groups:
            examples = list(self._given(media))
            if operation.webhook and not examples:
                examples = [("", self.pretty(self.samples.of(media.get("schema", {}))))]
            yield {"types": types, **self._content(media), "examples": examples}

    def _content(self, media):
        schema = media.get("schema", {})
        name = self.description.name_of(schema)
        merged = self.description.merged(schema)
        return {"schema": name, "rows": list(self.fields.rows(schema)), "text": merged.get("description", "") if name else ""}

    def _given(self, media):
        for name, each in media.get("examples", {}).items():
            each = self.description.resolve(each)
            yield each.get("summary", name), self.pretty(each.get("value"))
        if "example" in media:
            yield "", self.pretty(media["example"])

    @staticmethod
    def pretty(value):
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)

    def _answer(self, status, response):
        contents = response.get("content", {})
        media_type, media = next(iter(contents.items()), (None, {}))
        good = status.startswith("2")
        headers = [(name, self.description.resolve(each)) for name, each in response.get("headers", {}).items()]
        example = None
        if good and media and media_type != "text/plain" and "json" in media_type:
            _, example, _, _ = self.samples.of_media(media)
        elif good:
            example = media.get("example")
        return {"status": status, "good": good, "text": response.get("description", ""), "types": list(contents),
                "headers": [(name, each) for name, each in headers if name not in COMMON_HEADERS] if good else
                           [(name, each) for name, each in headers if name in ("Retry-After", "WWW-Authenticate", "Allow")],
                "errors": [] if good else list(self._errors(media.get("schema", {}))),
                **self._content(media), "example": self.pretty(example) if example is not None else None}

    def _errors(self, schema):
        """The texts that `error` may have."""
        merged = self.description.merged(schema)
        for each in merged.get("oneOf", []) + merged.get("anyOf", []):
            yield from self._errors(each)
        if "const" in merged and isinstance(merged["const"], dict):
            yield merged["const"].get("error", "")
        error = self.description.merged(merged.get("properties", {}).get("error", {}))
        yield from texts(error)
        for each in error.get("oneOf", []) + error.get("anyOf", []):
            yield from texts(self.description.merged(each))

    def _uses(self):
        """Which operations speak of a schema: {name: [(page, operation's id)]}."""
        used = {}
        for group in self.groups:
            for operation in group["operations"]:
                names = [each["schema"] for each in operation["bodies"] + operation["answers"] if each["schema"] and not each.get("errors")]
                for name in dict.fromkeys(names):
                    used.setdefault(name, []).append((group["page"], operation["id"]))
        return used

    def schemas(self):
        for name in sorted(self.description.schemas):
            schema = self.description.schemas[name]
            merged = self.description.merged(schema)
            if list(self._errors(schema)):
                continue
            yield {"name": name, "text": merged.get("description", ""), "rows": list(self.fields.rows(schema)), "row": self.fields.row(schema),
                   "used": self.used.get(name, []), "example": self.pretty(self.samples.of(schema))}

    def render(self, template, page, title, **more):
        return self.environment.get_template(template).render(groups=self.groups, guides=GUIDES, texts=TEXTS, page=page, title=title,
                                                              headings=self.headings, info=self.description.root["info"], **more)

    def all(self):
        """{file name: text} of every page."""
        here = Path(self.here)
        pages = {"index.html": self.render("start.html", "", "Start", start=(here / "start.md").read_text(encoding="utf-8"))}
        for group in self.groups:
            pages[f"{group['page']}.html"] = self.render("group.html", group["page"], group["name"], group=group)
        pages["schemas.html"] = self.render("schemas.html", "schemas", "Schemas", schemas=list(self.schemas()))
        for name, title in GUIDES + TEXTS:
            pages[f"{name}.html"] = self.render("text.html", name, title, text=(here / f"{name}.md").read_text(encoding="utf-8"))
        return pages


def _lists_apart(text):
    """CommonMark lets a list follow a paragraph directly, python-markdown does not."""
    return re.sub(r"(?m)^(?![*\-] |\s|$)(.+)\n(?=[*\-] )", r"\1\n\n", text)


def _access(operation):
    ways = operation.security
    if not ways:
        return "No credential"
    names = {name for each in ways for name in each}
    if {} in ways:
        with_token = "a token shows its user more" if operation.method == "GET" else "a token may be sent, and is then checked"
        return f"No credential; {with_token}" if "token" in names else "No credential"
    if "token" in names:
        return "Token, or the dashboard's session" if "session" in names else "Token"
    return "The dashboard's session"
