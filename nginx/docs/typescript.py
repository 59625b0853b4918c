"""The schemas and operations as TypeScript types."""

import json
import re

INDENT = "  "


def typescript(description):
    writer = _Writer(description)
    parts = ["// The types of the Tradepost API, version " + description.root["info"]["version"] + ". Made from its description; see /docs/.\n"]
    for name, schema in description.schemas.items():
        parts.append(writer.declaration(name, schema))
    parts.append(writer.operations())
    return "\n".join(parts)


class _Writer:
    def __init__(self, description):
        self.description = description

    def declaration(self, name, schema):
        merged = self.description.merged(schema)
        text = _comment(merged.get("description"), "")
        plain, nullable = self.description.without_null(merged)
        if "properties" in plain and not nullable:
            return f"{text}export interface {name} {self.object(plain, '')}\n"
        return f"{text}export type {name} = {self.type(merged, '', named=False)};\n"

    def type(self, node, space, named=True):
        if node is True or node == {}:
            return "unknown"
        name = self.description.name_of(node) if named else None
        if name:
            return name
        node, nullable = self.description.without_null(self.description.merged(node) if not self.description.name_of(node) else node)
        return self._plain(node, space) + (" | null" if nullable else "")

    def _plain(self, node, space):
        name = self.description.name_of(node)
        if name:
            return name
        if "const" in node:
            return json.dumps(node["const"], ensure_ascii=False)
        if "enum" in node:
            return " | ".join(json.dumps(each, ensure_ascii=False) for each in node["enum"] if each is not None)
        for key in ("oneOf", "anyOf"):
            if key in node and "properties" not in node:
                return " | ".join(dict.fromkeys(self.type(each, space) for each in node[key]))
        kind = node.get("type")
        if isinstance(kind, list):
            return " | ".join(self._plain({**node, "type": each}, space) for each in kind)
        if kind == "array":
            inner = self.type(node.get("items", {}), space)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        if kind == "object" or "properties" in node:
            return self.object(node, space)
        return {"integer": "number", "number": "number", "boolean": "boolean", "null": "null"}.get(
            kind, "string" if kind == "string" or "pattern" in node else "unknown")

    def object(self, node, space):
        inner = space + INDENT
        required = node.get("required", [])
        lines = []
        for name, schema in node.get("properties", {}).items():
            merged = self.description.merged(schema)
            kind = "unknown" if "type" not in merged and merged.get("description") == "Ignored." else self.type(schema, inner)
            lines.append(f"{_comment(merged.get('description'), inner)}{inner}{_name(name)}{'' if name in required else '?'}: {kind};\n")
        more = node.get("additionalProperties")
        if isinstance(more, dict) and not node.get("properties"):
            return f"Record<string, {self.type(more, space)}>"
        return "{\n" + "".join(lines) + space + "}" if lines else "Record<string, unknown>" if more is not False else "Record<string, never>"

    def operations(self):
        """What goes in and what comes out, by the names that the reference uses."""
        text = "/** The operations: address, query, body and successful answer of each. */\nexport interface Operations {\n"
        for operation in self.description.operations:
            if operation.webhook:
                continue
            space = INDENT * 2
            text += _comment(operation.node.get("summary"), INDENT) + f"{INDENT}{_name(operation.id)}: {{\n"
            text += f'{space}method: "{operation.method}";\n{space}path: "{operation.path}";\n'
            for place in ("path", "query"):
                rows = operation.parameters_in(place)
                schema = {"properties": {each["name"]: each.get("schema", {}) for each in rows},
                          "required": [each["name"] for each in rows if each.get("required")], "additionalProperties": False}
                text += f"{space}{'parameters' if place == 'path' else 'query'}: {self.object(schema, space)};\n"
            media = next(iter(operation.body.values()), None)
            text += f"{space}body: {self._content(operation.body) if media else 'never'};\n"
            text += f"{space}answer: {self._content(operation.success()[1].get('content', {}))};\n{INDENT}}};\n"
        return text + "}\n"

    def _content(self, content):
        kinds = [self.type(media.get("schema", {}), INDENT * 2) if re.search(r"[/+]json$", media_type) else "string | Uint8Array"
                 for media_type, media in content.items()]
        return " | ".join(dict.fromkeys(kinds)) or "never"


def _name(name):
    return name if re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name) else json.dumps(name)


def _comment(text, space):
    if not text:
        return ""
    lines = text.strip().replace("*/", "* /").splitlines()
    if len(lines) == 1:
        return f"{space}/** {lines[0]} */\n"
    return f"{space}/**\n" + "".join(f"{space} * {line}".rstrip() + "\n" for line in lines) + f"{space} */\n"
