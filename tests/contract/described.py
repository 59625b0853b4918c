"""An OpenAPI 3.1 description, read for checking answers: paths, responses, and JSON Schema validators of its schemas."""

import pathlib
import re
import sys
import urllib.parse

import jsonschema

import formats

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "nginx/docs"))
from source import METHODS  # noqa: E402


class Described:
    def __init__(self, root):
        self.root = root
        self._validators = {}
        self._known = {}  # what was found, by schema and value: most answers and headers come again and again
        self._paths = [(template, re.compile(_expression(template), re.S), item) for template, item in self.root["paths"].items()]
        # A path without a parameter is preferred to one with.
        self._paths.sort(key=lambda entry: entry[0].count("{"))
        self._refuse_unknown_formats({name: node for name, node in self.root.items() if name != "x-error-codes"})

    def _refuse_unknown_formats(self, node):
        if isinstance(node, dict):
            name = node.get("format")
            if isinstance(name, str) and "type" in node and name not in formats.KNOWN:
                raise ValueError(f"format {name!r} is not checked by formats.py")
            node = node.values()
        if isinstance(node, (dict, list)) or hasattr(node, "__iter__") and not isinstance(node, str):
            for child in node:
                self._refuse_unknown_formats(child)

    def resolve(self, node):
        while isinstance(node, dict) and "$ref" in node:
            target = self.root
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def find_path(self, path):
        """(template, path item), or None. The path is as it was requested: what its escapes do not spell is no path."""
        try:
            if re.search("%(?![0-9A-Fa-f]{2})", path) or "%00" in path:
                return None
            # An encoded slash parts no segments.
            path = "/".join(urllib.parse.unquote(part, errors="strict").replace("/", "%2F") for part in path.split("/"))
        except UnicodeDecodeError:
            return None
        for template, expression, item in self._paths:
            if expression.match(path):
                return template, item
        return None

    def response(self, operation, status):
        """(status as it is described, response), or None. "4XX" stands for what is not named itself."""
        for key in (str(status), f"{status // 100}XX", "default"):
            if key in operation["responses"]:
                return key, self.resolve(operation["responses"][key])
        return None

    def faults(self, schema, value):
        """What is wrong with a value, one text each."""
        validator = self._validators.get(id(schema))
        if not validator:
            # With the components beside it every "#/components/…" of the schema is found.
            whole = {"components": self.root["components"], "allOf": [schema]}
            validator = jsonschema.Draft202012Validator(whole, format_checker=formats.checker)
            self._validators[id(schema)] = validator
        for error in validator.iter_errors(value):
            yield f"/{'/'.join(str(step) for step in error.absolute_path)}: {error.message[:300]}"

    def faults_again(self, schema, key, value):
        """As faults(), as a list, for a value that often comes again. `key` is hashable and stands for it."""
        key = id(schema), type(key), key
        if key not in self._known:
            self._known[key] = list(self.faults(schema, value))
        return self._known[key]

    def expected(self):
        """Every (method, template, status) that some test has to see."""
        for template, item in self.root["paths"].items():
            for method in METHODS:
                for status, response in item.get(method, {}).get("responses", {}).items():
                    if "x-not-tested" not in self.resolve(response):
                        yield method.upper(), template, status


def _expression(template):
    return "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]+\})", template)) + r"\Z"
