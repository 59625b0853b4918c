"""The description as programs read it: what openapi.yaml says, in the forms that generators of clients and validators handle.

- without the dashboard's own routes and its session,
- every schema of an object has a name, and refers to named schemas alone: no `allOf`, nothing deep,
- answers may have further members; requests may not,
- the scope of a token as `x-scopes`,
- parameters of operations alone, none of paths,
- one schema for all errors; `x-errors` lists the texts for the pages,
- `default` for `4XX`, files and lines as binary, an address in `servers`, and a version that differs whenever the description does.
"""

import hashlib
import json
import re

from description import Description
from errors import texts
from source import METHODS, reference

# nginx puts the address of the service in place of it.
ADDRESS = "https://marketplace.example"
CLOSED = ("additionalProperties", "unevaluatedProperties")


def published(root, release):
    made = _Publisher(json.loads(json.dumps(root))).root  # nothing is shared
    made["info"]["version"] = f"{release}+{hashlib.sha256(json.dumps(made).encode()).hexdigest()[:8]}"
    return made


def without_extensions(node):
    """The description without what only the pages and the tests read. Programs may want to know the scopes."""
    if isinstance(node, dict):
        return {key: without_extensions(value) for key, value in node.items() if not key.startswith("x-") or key in ("x-scopes", "x-error-codes") and value}
    return [without_extensions(each) for each in node] if isinstance(node, list) else node


class _Publisher:
    def __init__(self, root):
        self.description = Description(root)
        self.root, self.given = root, root["components"]["schemas"]
        self.made, self.waiting = {}, []
        self.sent, self.answered = set(), set()
        root.pop("x-any-path", None)
        root.pop("jsonSchemaDialect", None)
        root["servers"] = [{"url": ADDRESS, "description": "The host that serves this description."}]
        root["info"]["contact"] = {"name": "Whoever runs this service", "url": ADDRESS + "/docs/"}
        root["paths"] = {path: item for path, item in root["paths"].items() if not path.startswith("/dashboard/")}
        root["tags"] = [tag for tag in root["tags"] if tag["name"] != "Dashboard"]
        for item in (*root["paths"].values(), *root["webhooks"].values()):
            self._item(item)
        for parameter in root["components"]["parameters"].values():
            parameter["schema"] = self._schema(parameter["schema"], "")
        for header in root["components"]["headers"].values():
            header["schema"] = self._schema(header["schema"], "")
        for name, response in root["components"]["responses"].items():
            self._response(response, name)
        root["components"]["schemas"] = self.made
        self._open_answers()
        self._drop_unused()

    def _item(self, item):
        # Some programs take everything in a path for a method.
        common = item.pop("parameters", [])
        for method in METHODS:
            if method in item:
                item[method]["parameters"] = self._together(common, item[method].get("parameters", []))
                self._operation(item[method])

    def _together(self, common, own):
        """A path's parameters, without those that the operation replaces, and the operation's own."""
        def key(parameter):
            return tuple(self.description.resolve(parameter)[name] for name in ("in", "name"))
        replaced = set(map(key, own))
        return json.loads(json.dumps([each for each in common if key(each) not in replaced])) + own

    def _parameter(self, parameter):
        if "schema" in parameter:
            parameter["schema"] = self._schema(parameter["schema"], "")

    def _operation(self, operation):
        name = operation["operationId"][0].upper() + operation["operationId"][1:]
        for parameter in operation.get("parameters", []):
            self._parameter(parameter)
        ways = [way for way in operation.get("security", []) if "session" not in way]
        # Only OAuth has scopes there.
        operation["security"] = [{key: [] for key in way} for way in ways]
        operation["x-scopes"] = [scope for way in ways for scope in way.get("token", [])]
        body = operation.get("requestBody", {}).get("content", {})
        for kind, media in body.items():
            media["schema"] = self._body(kind, media, f"{name}Body", self.sent)
        # Generators choose one type, and most of them the last.
        if "application/merge-patch+json" in body:
            del body["application/merge-patch+json"]
        # Some generators look for the type of an answer there alone.
        responses = {status: json.loads(json.dumps(self.description.resolve(each))) if status.startswith("2") else each
                     for status, each in operation["responses"].items()}
        operation["responses"] = responses
        if "4XX" in responses:
            responses["default"] = responses.pop("4XX")
        for response in responses.values():
            self._response(response, name)

    def _response(self, response, name):
        for header in response.get("headers", {}).values():
            if "schema" in header:
                header["schema"] = self._schema(header["schema"], "")
        for kind, media in response.get("content", {}).items():
            schema = media.get("schema", {})
            error = self.description.merged(schema).get("properties", {}).get("error")
            if error:
                response["x-errors"] = list(self._texts(self.description.merged(error)))
                media["schema"] = self._schema(reference("schemas", "Failure"), "Failure", self.answered)
            elif "data" in schema.get("properties", {}):
                media["schema"] = self._envelope(schema, name)
            else:
                media["schema"] = self._body(kind, media, name, self.answered)

    def _texts(self, schema):
        yield from texts(schema)
        for each in schema.get("oneOf", []) + schema.get("anyOf", []):
            yield from texts(self.description.merged(each))

    def _envelope(self, schema, name):
        data = schema["properties"]["data"]
        inner = self.description.name_of(data)
        whole = dict(schema, properties={"data": self._schema(data, inner or f"{name}Data", self.answered)})
        return self._named(f"{inner or name}Answer", whole, self.answered)

    def _body(self, kind, media, name, side):
        if "json" in kind and "ndjson" not in kind:
            return self._schema(media["schema"], name, side)
        if kind.startswith("text/"):
            return {"type": "string"}
        return {"type": "string", "format": "binary", **{key: value for key, value in media.get("schema", {}).items() if key == "description"}}

    def _named(self, name, schema, side):
        known = self.made.get(name)
        if known is not None and known != schema:
            raise ValueError(f"two schemas have the name {name}: give one of them a name in openapi.yaml")
        self.made[name] = schema
        side.add(name)
        return reference("schemas", name)

    def _schema(self, node, name, side=None):
        """The schema with references to named ones; `name` is for an object that has none. `side` gets the names."""
        side = self.answered if side is None else side
        if not isinstance(node, dict):
            return node
        known = self.description.name_of(node)
        if known and (len(node) == 1 or "properties" in self.description.merged(self.given[known])):
            if known not in self.made:
                self.made[known] = None
                self.made[known] = self._plain(self.description.merged(self.given[known]), known, side)
            side.add(known)
            return {key: value for key, value in node.items() if key not in CLOSED}
        whole = self._plain(self.description.merged(node), name, side)
        return self._named(name, whole, side) if "properties" in whole and name else whole

    def _plain(self, node, name, side):
        made = {}
        for key, value in node.items():
            if key == "properties":
                value = {each: self._schema(schema, name + each[0].upper() + each[1:], side) for each, schema in value.items()}
            elif key == "items":
                value = self._schema(value, name if name.endswith("Entry") else f"{name}Entry", side)
            elif key == "additionalProperties" and isinstance(value, dict):
                value = self._schema(value, f"{name}Value", side)
            elif key in ("oneOf", "anyOf"):
                # An alternative of an object that has no name of its own stays where it is.
                value = [self._schema(each, "" if name in self.given else name, side) for each in value]
            elif key == "unevaluatedProperties":
                key = "additionalProperties"
            made[key] = value
        if "const" in made:
            # Generators take `const` without a type for a text.
            value = made.pop("const")
            kind = {bool: "boolean", int: "integer"}.get(type(value), "string")
            made = {"type": kind, **({} if kind == "boolean" else {"enum": [value]}), **made}
        return made

    def _open_answers(self):
        """A schema of answers lets in members to come, also where requests have the same schema."""
        seen = set()

        def visit(node):
            if isinstance(node, list):
                for each in node:
                    visit(each)
            if not isinstance(node, dict):
                return
            name = self.description.name_of(node)
            if name and name not in seen:
                seen.add(name)
                visit(self.made[name])
            if node.get("additionalProperties") is False:
                del node["additionalProperties"]
            for each in node.values():
                visit(each)

        for item in self.root["paths"].values():
            for method in METHODS:
                for response in item.get(method, {}).get("responses", {}).values():
                    visit(self.description.resolve(response).get("content", {}))
        for item in self.root["webhooks"].values():
            visit(item["post"]["requestBody"]["content"])

    def _drop_unused(self):
        components = self.root["components"]
        components["securitySchemes"] = {"token": components["securitySchemes"]["token"]}
        kept, waiting = set(), [{key: value for key, value in self.root.items() if key != "components"}]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict):
                target = node.get("$ref")
                if isinstance(target, str) and target not in kept:
                    kept.add(target)
                    waiting.append(self.description.at(target))
                waiting += node.values()
            elif isinstance(node, list):
                waiting += node
        for kind in ("parameters", "headers", "responses", "schemas"):
            components[kind] = {name: each for name, each in components[kind].items() if reference(kind, name)["$ref"] in kept}


def release_of(changelog):
    """The newest release that the changelog names."""
    return re.search(r"^## (\d+\.\d+\.\d+)", changelog, re.M)[1]
