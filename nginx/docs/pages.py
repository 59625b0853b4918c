"""The pages: what the templates show."""

import html
import json
import re
from pathlib import Path

import jinja2
import markdown
import markupsafe

import languages
from examples import Request
from fields import Fields
from samples import Samples

# Pages that are written by hand: the name in the address, and what they are called. The guides stand before the operations.
GUIDES = (("guide", "Guide"),)
TEXTS = (("errors", "Errors"), ("changelog", "Changelog"), ("deprecation", "Deprecation"))
API_CHANGES = "For programs (API)"
# The manuals of whoever runs the service: name in the address, label and source. They refer to each other by the names of their sources.
MANUALS = (("", "Operators' manual", "systemd/OPERATORS.md"), ("cluster", "Several hosts", "systemd/CLUSTER.md"),
           ("monitoring", "Monitoring", "systemd/MONITORING.md"),
           ("dealers", "Tutorial for dealers' software", "nginx/DEALERS.md"), ("security", "Security", "SECURITY.md"),
           ("changelog", "Changelog", "CHANGELOG.md"))
# Headers of nearly every answer are on the first page only.
COMMON_HEADERS = ("X-Request-Id", "X-Content-Type-Options", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
                  "Cache-Control", "Access-Control-Allow-Origin")


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Pages:
    def __init__(self, description, here):
        self.description, self.here, self.root = description, here, here.parent.parent
        self.fields, self.samples = Fields(description), Samples(description)
        # Headings of the first page, to which texts refer as `"Search" above`.
        self.headings = _headings(description.root["info"]["description"])
        self.environment = jinja2.Environment(loader=jinja2.FileSystemLoader(here / "templates"), autoescape=True, trim_blocks=True,
                                              lstrip_blocks=True, undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
        self.environment.filters.update(md=self.markdown, line=self.line, slug=slug, code=self.code)
        self.examples = {}
        self.groups = [self._group(name, text) for name, text in description.tags]
        self.used = self._uses()

    def markdown(self, text):
        return markupsafe.Markup(self._linked(self._rendered(text)))

    @staticmethod
    def _rendered(text):
        made = markdown.markdown(_lists_apart(text), extensions=["tables", "fenced_code", "toc"],
                                 extension_configs={"toc": {"slugify": lambda value, _: slug(value)}}, output_format="html")
        # A wide table or listing scrolls by itself, by keys too.
        made = made.replace("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table class="table">').replace("</table>", "</table></div>")
        return made.replace("<pre>", '<div class="listing"><pre tabindex="0">').replace("</pre>", "</pre></div>")

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
            made["can_try"] = not request.file and request.answer != "bytes"
            self.examples[operation.id] = {"method": operation.method, "path": operation.path, "tag": operation.tag, "values": request.values,
                                           "query": request.query, "body": request.json, "mediaType": request.media_type,
                                           "sent": request.sent, **written}
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
        return {**self._content(media), "status": status, "good": good, "text": response.get("description", ""), "types": list(contents),
                "headers": [(name, each) for name, each in headers if name not in COMMON_HEADERS] if good else
                           [(name, each) for name, each in headers if name in ("Retry-After", "WWW-Authenticate", "Allow")],
                "errors": [] if good else response.get("x-errors", []),
                "example": self.pretty(example) if example is not None else None}

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
            yield {"name": name, "text": schema.get("description", ""), "rows": list(self.fields.rows(schema)), "row": self.fields.row(schema),
                   "used": self.used.get(name, []), "example": self.pretty(self.samples.of(schema))}

    def _manual(self, text):
        made = self._rendered(text)
        for name, _, source in MANUALS:
            made = re.sub(rf"<code>(?:[a-z]+/)?{Path(source).name}</code>", rf'<a href="{name or "./"}">\g<0></a>', made)
        for heading in _headings(text):
            quoted = f"&quot;{html.escape(heading, quote=False)}&quot;"
            for quote in (quoted, html.unescape(quoted)):
                made = re.sub(rf"(?<=[Ss]ee ){re.escape(quote)}", f'<a href="#{slug(heading)}">{html.escape(heading, quote=False)}</a>', made)
        return markupsafe.Markup(made)

    def text(self, name):
        """The Markdown of a page that is written by hand."""
        text = (Path(self.here) / f"{name}.md").read_text(encoding="utf-8")
        return text + {"changelog": self._changes_of_the_api, "errors": self._error_codes}.get(name, str)()

    def _error_codes(self):
        """A row each, which the member `type` of a problem leads to."""
        codes = self.description.root["x-error-codes"].items()
        return "\n| Code | What it means |\n|---|---|\n" + "".join(f'| <span id="{code}"></span>`{code}` | {text} |\n' for code, text in codes)

    def _changes_of_the_api(self):
        """From the changelog of all readers what concerns programs."""
        made = [""]
        for version, changes in _parts((self.root / "CHANGELOG.md").read_text(encoding="utf-8"), "## "):
            made += [f"## {version}\n\n{text}" for title, text in _parts(changes, "### ") if title == API_CHANGES]
        return "\n".join(made)

    def render(self, template, page, title, **more):
        return self.environment.get_template(template).render(**{
            "groups": self.groups, "guides": GUIDES, "texts": TEXTS, "page": page, "title": title, "headings": self.headings, "root": "",
            "info": self.description.root["info"], **more})

    def all(self):
        """{file name: text} of every page."""
        pages = {"index.html": self.render("start.html", "", "Start", start=self.text("start"))}
        for group in self.groups:
            pages[f"{group['page']}.html"] = self.render("group.html", group["page"], group["name"], group=group)
        pages["schemas.html"] = self.render("schemas.html", "schemas", "Schemas", schemas=list(self.schemas()))
        for name, title in GUIDES + TEXTS:
            pages[f"{name}.html"] = self.render("text.html", name, title, text=self.text(name))
        for name, title, source in MANUALS:
            text = (self.root / source).read_text(encoding="utf-8")
            pages[f"operators/{name or 'index'}.html"] = self.render(
                "manual.html", name, title, text=self._manual(text), headings=_headings(text), root="../",
                manuals=[(name, label) for name, label, _ in MANUALS])
        return pages

    def pictures(self):
        """{file name: bytes} of the pictures that the manuals show, which have the same place beside the page as beside the source."""
        found = {}
        for _, _, source in MANUALS:
            source = self.root / source
            for picture in re.findall(r"!\[[^]]*\]\(([^):]+)\)", source.read_text(encoding="utf-8")):
                found[f"operators/{picture}"] = (source.parent / picture).read_bytes()
        return found


def _headings(text):
    return re.findall(r"^## (.+)$", text, re.M)


def _parts(text, level):
    """(heading, text below it) of each heading of this level, "## " or "### "."""
    parts = re.split(rf"^{level}(.+)\n", text, flags=re.M)
    return zip(parts[1::2], parts[2::2])


def _lists_apart(text):
    """CommonMark lets a list follow a paragraph directly, python-markdown does not."""
    return re.sub(r"(?m)^(?![*\-] |\s|$)(.+)\n(?=[*\-] )", r"\1\n\n", text)


def _access(operation):
    ways = operation.security
    if not ways or ways == [{}]:
        return "No credential"
    if {} in ways:
        return "No credential; " + ("a token shows its user more" if operation.method == "GET" else "a token may be sent, and is then checked")
    return "Token"
