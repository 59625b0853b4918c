// The module that writes texts as the service stores them; tests/unit/normalised_texts.cpp has the same table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "./testing.mjs";

const source = readFileSync(new URL("../../nginx/www/dashboard/assets/texts.js", import.meta.url), "utf8");

test("texts are written as the service stores them", async () => {
  const { oneLine, manyLines } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  for (const [sent, one, many] of [
    ["", "", ""],
    [" ", "", ""],
    ["\u200B", "", ""],
    ["\u2060\u00AD\uFEFF\u3164\u2800\u00A0\t\n\u2028\x7F\u202E", "", ""],
    ["\uFE0F", "", ""],
    [" JD-6R155 ", "JD-6R155", "JD-6R155"],
    ["\u3000JD-6R155\u200B\r\n", "JD-6R155", "JD-6R155"],
    ["a\nb", "a b", "a\nb"],
    ["a \r\n\t b", "a b", "a \r\n\t b"],
    ["a\u2028b\u0085c\x01d", "a b c d", "a\u2028b\u0085c\x01d"],
    ["a\n\uFEFFb", "a \uFEFFb", "a\n\uFEFFb"],
    ["12\u00A0000  km", "12\u00A0000  km", "12\u00A0000  km"],
    ["Cafe\u0301", "Caf\u00E9", "Caf\u00E9"],
    ["e\u0323\u0302", "\u1EC7", "\u1EC7"],
    ["\uFB01", "\uFB01", "\uFB01"],
    ["\u2764\uFE0F ", "\u2764\uFE0F", "\u2764\uFE0F"],
    ["a\u200Db", "a\u200Db", "a\u200Db"],
  ]) assert.deepEqual([oneLine(sent), manyLines(sent)], [one, many], JSON.stringify(sent));
});
