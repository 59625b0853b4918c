"""What an example of an operation sends: address, headers and body, for languages.py to write down."""

import json
import urllib.parse

BINARY = ("application/octet-stream", "image/", "application/pdf")
FILE = "van.jpg"


class Request:
    """One request. `key` stands for an Idempotency-Key that is made anew for each request."""

    def __init__(self, operation, samples):
        self.method, self.operation = operation.method, operation
        self.media_type = next((each for each in operation.body), None)
        value = given = None
        self.values = {each["name"]: samples.of_parameter(each) for each in operation.parameters_in("path")}
        if self.media_type:
            _, value, _, given = samples.of_media(operation.body[self.media_type])
            self.values.update(given)
        self.path = operation.path
        for name, each in self.values.items():
            self.path = self.path.replace("{" + name + "}", urllib.parse.quote(str(each), safe="~"))
        # Also one of several of which one has to be there.
        shown = [each for each in operation.parameters_in("query") if each.get("required") or each.get("x-in-examples")]
        self.query = [(each["name"], text) for each in shown for text in _texts(samples.of_parameter(each))]
        self._set_body(value)
        ways = operation.security
        self.token = bool(ways) and {} not in ways
        self.key = any(each["name"] == "Idempotency-Key" for each in operation.parameters_in("header"))
        self.answer = _kind_of_answer(operation)

    def _set_body(self, value):
        self.json = self.lines = self.text = None
        self.file = FILE if self.media_type and self.media_type.startswith(BINARY) else None
        if not self.media_type or self.file:
            return
        if "ndjson" in self.media_type:
            # An example is the text itself, or a list of its lines.
            parts = value.splitlines() if isinstance(value, str) else value if isinstance(value, list) else [value]
            self.lines = [json.loads(each) if isinstance(each, str) else each for each in parts if each != ""]
        elif "json" in self.media_type:
            self.json = value
        else:
            self.text = value if isinstance(value, str) else urllib.parse.urlencode(value)

    @property
    def sent(self):
        """The body as a text, or None."""
        if self.lines is not None:
            return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in self.lines)
        return json.dumps(self.json, ensure_ascii=False, indent=2) if self.json is not None else self.text

    @property
    def target(self):
        return self.path + ("?" + urllib.parse.urlencode(self.query, safe=",:") if self.query else "")


def _texts(value):
    if isinstance(value, list):
        return [str(each) for each in value]
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def _kind_of_answer(operation):
    """json, text, bytes, or None when the answer has no body."""
    _, response = operation.success()
    types = list(response.get("content", {}))
    if not types:
        return None
    if any(each == "application/json" or each.endswith("+json") for each in types):
        return "json"
    return "bytes" if types[0].startswith(BINARY) else "text"
