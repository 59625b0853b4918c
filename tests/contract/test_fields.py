#!/usr/bin/python3
"""Holds the lengths, bounds and codes of the description against the field tables of the service, as `tradepostctl import fields` prints them."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build"))
sys.path.append(str(ROOT / "nginx/docs"))

from description import Description  # noqa: E402
from publish import published  # noqa: E402
from source import load  # noqa: E402

SCHEMAS = {
    "jobs": ("Job", "JobNew", "JobChange", "JobPut"),
    "events": ("Event", "EventNew", "EventChange", "EventPut"),
    "posts": ("Post", "PostNew", "PostChange", "PostPut"),
    "stock": ("StockItem", "StockItemNew", "StockItemChange", "StockItemPut"),
    "organisations": ("Account", "AccountChange"),
}
# A new row begins in some states only; a PUT leaves the reference to its path; a patch of attributes may remove some.
OTHERS = {("JobNew", "status"), ("StockItemNew", "status"), ("StockItemChange", "attributes"), *((name, "reference") for name in ("JobPut", "EventPut", "PostPut", "StockItemPut"))}
# Rules that say more than JSON Schema can, or that the description says by a pattern.
WORDS = re.compile(r"a UUID|true or false|an? (RFC 3339 time|ISO \S+ \S*\s?code|IANA time zone|https URL|http or https URL|email address)|the slug of|not used")


def limits(rule):
    """What a rule of the table says, as keywords of JSON Schema; None when it says nothing of these."""
    number = r"(\d+)"
    for pattern, keywords in (
            (rf"{number} to {number} characters long", ("minLength", "maxLength")), (rf"at most {number} characters long", ("maxLength",)),
            (rf"at most {number} lower-case letters", ("maxLength",)), (rf"an integer from {number} to {number}", ("minimum", "maximum")),
            (rf"a list of (?:strings, )?at most {number}", ("maxItems",)), (rf"an object of strings, at most {number} pairs", ("maxProperties",))):
        found = re.match(pattern, rule)
        if found:
            return dict(zip(keywords, map(int, found.groups())))
    if rule.startswith("one of "):
        return {"enum": rule[len("one of "):].split(", ")}
    return None


class FieldsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.description = Description(published(load(ROOT / "nginx/www/openapi.yaml"), "0.0.0"))

    def property(self, schema, name):
        node, _ = self.description.without_null(self.description.resolve(self.description.schemas[schema]["properties"][name]))
        return self.description.resolve(node)

    def test_limits_are_those_of_the_tables(self):
        seen = 0
        for kind, schemas in SCHEMAS.items():
            table = json.loads(subprocess.run([BUILD / "tradepostctl", "import", "fields", kind, "--json"], check=True, capture_output=True).stdout)
            for row in table:
                wanted = limits(row["rule"])
                self.assertTrue(wanted is not None or WORDS.match(row["rule"]), f"{kind}: {row['field']}: a rule that this test does not know: {row['rule']}")
                for schema in schemas:
                    if wanted is None or (schema, row["field"]) in OTHERS or row["field"] not in self.description.schemas[schema]["properties"]:
                        continue
                    given = self.property(schema, row["field"])
                    found = {key: [each for each in given[key] if each is not None] if key == "enum" else given.get(key) for key in wanted if key in given}
                    with self.subTest(schema=schema, field=row["field"]):
                        self.assertEqual(found, wanted)
                        seen += 1
        self.assertGreater(seen, 150)

    def test_a_limit_that_differs_is_found(self):
        self.assertEqual(limits("1 to 64 characters long"), {"minLength": 1, "maxLength": 64})
        self.assertEqual(limits("one of NEW, USED"), {"enum": ["NEW", "USED"]})
        self.assertEqual(limits("an integer from 0 to 100: whole units"), {"minimum": 0, "maximum": 100})
        self.assertIsNone(limits("an https URL"))


if __name__ == "__main__":
    unittest.main()
