"""Schemas as rows of a table: name, type, rules and text of each field."""

FORMATS = {"uuid": "UUID", "date-time": "time", "date": "date", "uri": "URL", "iri": "URL", "uri-reference": "address", "email": "email address", "idn-email": "email address"}


class Fields:
    def __init__(self, description):
        self.description = description

    def rows(self, schema, depth=0):
        """A row for each property of an object schema; those of inline objects follow theirs, one level deeper."""
        merged = self.description.merged(schema)
        required = set(merged.get("required", []))
        for name, node in merged.get("properties", {}).items():
            yield {"name": name, "depth": depth, "required": name in required, **self.row(node)}
            yield from self._inner(node, depth)

    def _inner(self, node, depth):
        node, _ = self.description.without_null(node)
        if node.get("type") == "array":
            node, _ = self.description.without_null(node.get("items", {}))
        if self.description.name_of(node) or depth >= 4:
            return
        yield from self.rows(node, depth + 1)

    def row(self, node):
        node, nullable = self.description.without_null(node)
        name = self.description.name_of(node)
        whole = self.description.merged(node)
        whole, inner_null = self.description.without_null(whole)
        return {
            "type": self.type_of(node, whole),
            "link": name if name and self.is_object(whole) else self._linked_item(whole),
            "nullable": nullable or inner_null,
            "read_only": bool(whole.get("readOnly")),
            "deprecated": bool(whole.get("deprecated")),
            "codes": self._codes(whole),
            "rules": list(self._rules(whole)),
            "text": whole.get("description", ""),
        }

    @staticmethod
    def is_object(schema):
        return "properties" in schema

    def _linked_item(self, whole):
        items = whole.get("items", {})
        name = self.description.name_of(items)
        return name if name and self.is_object(self.description.merged(items)) else None

    def type_of(self, node, whole):
        if "const" in whole:
            return "constant"
        for key in ("oneOf", "anyOf"):
            if key in whole:
                return " or ".join(dict.fromkeys(self.row(each)["type"] for each in whole[key]))
        kind = whole.get("type")
        if isinstance(kind, list):
            return " or ".join(kind)
        if kind == "array":
            items, _ = self.description.without_null(whole.get("items", {}))
            return f"list of {self._plural(items)}"
        if kind == "object" or self.is_object(whole):
            inner = whole.get("additionalProperties")
            if isinstance(inner, dict) and not self.is_object(whole):
                return f"object of {self._plural(inner)}"
            return self.description.name_of(node) or "object"
        if kind is None:
            return "string" if "enum" in whole or "pattern" in whole else "any"
        return FORMATS.get(whole.get("format"), kind)

    def _plural(self, node):
        kind = self.row(node)["type"]
        return kind if self.description.name_of(node) == kind else f"{kind}s"

    def _codes(self, whole):
        if "const" in whole:
            return [whole["const"]]
        items = self.description.merged(whole.get("items", {}))
        return [each for each in whole.get("enum") or items.get("enum") or [] if each is not None]

    def _rules(self, whole):
        items = self.description.merged(whole.get("items", {}))
        for schema, before in ((whole, ""), (items, "each ")):
            yield from _range(schema, "minLength", "maxLength", before, " characters")
            yield from _range(schema, "minimum", "maximum", before, "")
            # A format says more than its pattern.
            if "pattern" in schema and "format" not in schema:
                yield f"{before}matches `{schema['pattern']}`"
        yield from _range(whole, "minItems", "maxItems", "", " entries")
        yield from _range(whole, "minProperties", "maxProperties", "", " names")
        if whole.get("uniqueItems"):
            yield "each once"
        if "default" in whole:
            yield f"by default `{_shown(whole['default'])}`"


def _shown(value):
    return {True: "true", False: "false", None: "null"}.get(value, value) if not isinstance(value, int) or isinstance(value, bool) else value


def _number(value):
    # Not in years.
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)


def _range(schema, low, high, before, unit):
    if low in schema and high in schema:
        yield f"{before}{_number(schema[low])} to {_number(schema[high])}{unit}"
    elif low in schema:
        yield f"{before}at least {_number(schema[low])}{unit}"
    elif high in schema:
        yield f"{before}at most {_number(schema[high])}{unit}"
