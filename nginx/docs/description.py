"""The description of the API: references resolved, schemas merged, operations in the order of the file."""

from source import METHODS


class Operation:
    def __init__(self, description, path, item, method, node, webhook=False):
        self.path, self.method, self.node, self.webhook = path, method.upper(), node, webhook
        self.id = node.get("operationId") or path.strip("/").replace("/", "-").replace(".", "-")
        self.tag = "Webhooks" if webhook else (node.get("tags") or ["Other"])[0]
        # An operation's own parameter replaces that of its path.
        by_place = {}
        for given in item.get("parameters", []) + node.get("parameters", []):
            parameter = description.resolve(given)
            by_place[parameter["in"], parameter["name"]] = parameter
        self.parameters = list(by_place.values())
        self.security = node.get("security", description.root.get("security", []))
        self.responses = {status: description.resolve(given) for status, given in node.get("responses", {}).items()}
        body = description.resolve(node.get("requestBody", {}))
        self.body = body.get("content", {})
        self.body_required = body.get("required", False)

    def parameters_in(self, place):
        return [each for each in self.parameters if each["in"] == place]

    def success(self):
        """(status, response) of the first described success."""
        for status, response in self.responses.items():
            if status.startswith("2"):
                return status, response
        return None, {}

    def scopes(self):
        return list(dict.fromkeys(self.node.get("x-scopes", [])))


class Description:
    def __init__(self, root):
        self.root = root
        self.schemas = self.root["components"]["schemas"]
        self.operations = list(self._operations())
        self.tags = self._tags()

    def _operations(self):
        for place, webhook in (("paths", False), ("webhooks", True)):
            for path, item in self.root.get(place, {}).items():
                item = self.resolve(item)
                for method in METHODS:
                    if method in item:
                        yield Operation(self, path, item, method, item[method], webhook)

    def _tags(self):
        """[(name, description)] of all tags that an operation has."""
        described = {tag["name"]: tag.get("description", "") for tag in self.root.get("tags", [])}
        used = dict.fromkeys(operation.tag for operation in self.operations)
        return [(name, text) for name, text in described.items() if name in used] + [(name, "") for name in used if name not in described]

    def at(self, reference):
        node = self.root
        for part in reference.removeprefix("#/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def resolve(self, node):
        """What a reference names, with what stands beside it."""
        while isinstance(node, dict) and "$ref" in node:
            node = {**self.at(node["$ref"]), **{key: value for key, value in node.items() if key != "$ref"}}
        return node

    @staticmethod
    def name_of(node):
        """The name of the component schema that a node refers to, or None."""
        reference = node.get("$ref", "") if isinstance(node, dict) else ""
        start = "#/components/schemas/"
        return reference[len(start):] if reference.startswith(start) and "/" not in reference[len(start):] else None

    def merged(self, node):
        """A schema with its references and `allOf` merged. Schemas of its properties stay as they are, unless two parts describe one."""
        node = self.resolve(node)
        if not isinstance(node, dict) or "allOf" not in node:
            return node
        whole = {}
        for part in [self.merged(each) for each in node["allOf"]] + [{key: value for key, value in node.items() if key != "allOf"}]:
            whole = self._over(whole, part)
        return whole

    def _over(self, below, above):
        whole = {**below, **above}
        if "items" in below and "items" in above:
            whole["items"] = {"allOf": [below["items"], above["items"]]}
        if "required" in below or "required" in above:
            whole["required"] = list(dict.fromkeys(below.get("required", []) + above.get("required", [])))
        if "properties" in below or "properties" in above:
            properties = dict(below.get("properties", {}))
            for name, schema in above.get("properties", {}).items():
                properties[name] = self._narrowed(properties[name], schema) if name in properties else schema
            whole["properties"] = properties
        return whole

    def _narrowed(self, below, above):
        # Another type replaces the property; a rule alone is added to it.
        if "$ref" in above or "type" in above or "oneOf" in above or "anyOf" in above or "readOnly" in above:
            return above
        return {**self.merged(below), **above}

    def without_null(self, node):
        """(schema, whether null is allowed): of {oneOf: [X, null]} and of {type: [X, null]}."""
        for key in ("oneOf", "anyOf"):
            options = node.get(key, [])
            rest = [each for each in options if each.get("type") != "null"]
            if len(rest) < len(options):
                beside = {name: value for name, value in node.items() if name != key}
                return ({**rest[0], **beside} if len(rest) == 1 else {**node, key: rest}), True
        kinds = node.get("type")
        if isinstance(kinds, list) and "null" in kinds:
            rest = [kind for kind in kinds if kind != "null"]
            return {**node, "type": rest[0] if len(rest) == 1 else rest}, True
        return node, False
