"""Reads nginx/www/openapi.yaml, which is OpenAPI with short forms, and returns the whole description.

Short forms, all of which are optional:

    parameters: [Page]      the component with this name. Every path has the parameter RequestId.
    answers: [NotFound]     responses of `components`, each under its `status`. Unless one of them is `4XX`, because the web server answers by
                            itself, there are 500 InternalError and 503 Unavailable as well; another 503 takes the place of the latter.
    "201": NewPost          the component with this name
    headers: own            in a response: a set of `x-headers`, or a list of sets and of further headers. Every set but `unchanged` and every
                            list has X-Request-Id and X-Content-Type-Options.
    data: Job               in a response: a JSON object with the member `data`: a component or a schema. `example` is then the value of `data`.
    error: Not found        in a response: a JSON object with the member `error`: a text, a list of texts or a schema. `example` is the text.
    required: all           in a schema: all of its properties, and of those in its `allOf`
"""

import yaml

METHODS = ("get", "post", "put", "patch", "delete")


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Leaves times as texts: an unquoted example is what a client sends."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in _Loader.yaml_implicit_resolvers.items()
}


def load(path):
    with open(path, encoding="utf-8") as file:
        return _Source(yaml.load(file, _Loader)).whole()


def reference(kind, name):
    return {"$ref": f"#/components/{kind}/{name}"}


def is_envelope(schema):
    """Whether an object schema has `data` or `error` alone."""
    return list(schema.get("properties", {})) in (["data"], ["error"])


class _Source:
    def __init__(self, root):
        self.root, self.components = root, root["components"]
        self.sets = root.pop("x-headers", {})
        self.statuses = {name: str(response.pop("status")) for name, response in self.components["responses"].items() if "status" in response}

    def whole(self):
        self._require_all(self.root)
        for name, response in self.components["responses"].items():
            self.components["responses"][name] = self._response(response)
        for where in ("paths", "webhooks"):
            for item in self.root.get(where, {}).values():
                self._path_item(item, where == "paths")
        for place in self.root.get("x-any-path", {}).values():
            for status in list(place):
                place[status] = self._response(place[status])
        return self.root

    def _path_item(self, item, is_path):
        if is_path:
            every = reference("parameters", "RequestId")
            item["parameters"] = [every, *(each for each in self._parameters(item) if each != every)]
        for method in METHODS:
            if method not in item:
                continue
            operation = item[method]
            if "parameters" in operation:
                operation["parameters"] = self._parameters(operation)
            responses = {str(status): self._response(each) for status, each in operation.get("responses", {}).items()}
            if "answers" in operation:
                responses.update(self._answers(operation.pop("answers")))
            operation["responses"] = dict(sorted(responses.items()))

    def _parameters(self, node):
        return [reference("parameters", each) if isinstance(each, str) else each for each in node.get("parameters", [])]

    def _answers(self, names):
        named = {self.statuses[name]: reference("responses", name) for name in names}
        if "4XX" in named:
            return named
        return {"500": reference("responses", "InternalError"), "503": reference("responses", "Unavailable"), **named}

    def _response(self, given):
        if isinstance(given, str):
            return reference("responses", given)
        if "$ref" in given:
            return given
        made = {key: value for key, value in given.items() if key not in ("headers", "data", "error", "example")}
        if "headers" in given:
            made["headers"] = self._headers(given["headers"])
        for member in ("data", "error"):
            if member in given:
                made["content"] = {"application/json": self._media(member, given)}
        return made

    def _headers(self, given):
        if isinstance(given, dict):
            return given
        made = {"X-Request-Id": reference("headers", "RequestId")}
        if given != "unchanged":
            made["X-Content-Type-Options"] = reference("headers", "ContentTypeOptions")
        for name, header in self._set(given).items():
            made[name] = reference("headers", header) if isinstance(header, str) else header
        return made

    def _set(self, given):
        if isinstance(given, str):
            given = self.sets[given]
        return {name: header for each in given for name, header in self._set(each).items()} if isinstance(given, list) else given

    @staticmethod
    def _media(member, given):
        value = given[member]
        if member == "data":
            schema = reference("schemas", value) if isinstance(value, str) else value
        else:
            schema = {"const": value} if isinstance(value, str) else {"enum": value} if isinstance(value, list) else value
        media = {"schema": {"type": "object", "required": [member], "additionalProperties": False, "properties": {member: schema}}}
        if "example" in given:
            media["example"] = {member: given["example"]}
        elif member == "error" and not isinstance(value, dict):
            media["example"] = {"error": value if isinstance(value, str) else value[0]}
        return media

    def _require_all(self, node):
        if isinstance(node, dict):
            if node.get("required") == "all":
                node["required"] = self._names(node)
            node = node.values()
        elif not isinstance(node, list):
            return
        for each in node:
            self._require_all(each)

    def _names(self, node):
        if "$ref" in node:
            node = self.components["schemas"][node["$ref"].rsplit("/", 1)[-1]]
        names = [name for part in node.get("allOf", []) for name in self._names(part)]
        return list(dict.fromkeys([*names, *node.get("properties", {})]))
