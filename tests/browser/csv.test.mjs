// The modules that read and write tables and amounts, without a page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "./testing.mjs";

const load = (name) => import(`data:text/javascript,${encodeURIComponent(readFileSync(new URL(`../../nginx/www/dashboard/assets/${name}.js`, import.meta.url), "utf8"))}`);
const bytes = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

test("a table is parsed as RFC 4180 says", async () => {
  const { parse } = await load("csv");
  const cells = (text, separator) => parse(text, separator).map((record) => record.cells);
  for (const [text, wanted] of [
    ["a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]],
    ["a,b\nc,d", [["a", "b"], ["c", "d"]]],
    ["a,b\rc,d", [["a", "b"], ["c", "d"]]],
    ['"a ""b"" c","x,y"', [['a "b" c', "x,y"]]],
    ['"one\r\ntwo",b', [["one\r\ntwo", "b"]]],
    ['"",', [["", ""]]],
    ['""', [[""]]],
    [",,", [["", "", ""]]],
    ['a"b,5" disc', [['a"b', '5" disc']]],
    ['"a" ,b', [["a", "b"]]],
    ["\n\n a , b \n  \n", [[" a ", " b "]]],
    ["", []],
  ]) assert.deepEqual(cells(text), wanted, JSON.stringify(text));
  assert.deepEqual(cells('a;b,c;"d;e"', ";"), [["a", "b,c", "d;e"]]);
});

test("a record knows its line and its text, also behind cells of several lines", async () => {
  const { parse } = await load("csv");
  const records = parse('h,i\r\n\r\n"one\r\ntwo\nthree",b\r\nlast,"open');
  assert.deepEqual(records.map((record) => [record.line, record.raw]), [[1, "h,i"], [3, '"one\r\ntwo\nthree",b'], [6, 'last,"open']]);
  assert.deepEqual(records.map((record) => Boolean(record.fault)), [false, false, true]);
  assert.match(parse('"a"b,c')[0].fault, /behind a closing/);
});

const separators = [",", ";", "\t", "|"];
const formulas = ["=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "'=1", '"=1"', "''-y"];

test("parse() and unguard() return the exact cells that write() got", async () => {
  const { parse, write, unguard } = await load("csv");
  const texts = ["", "plain", "a,b", "a;b", 'say "hi"', "two\nlines", "two\r\nlines", " spaces ", "\ttab", "=1+1", "+44", "-5", "@sum", "'=x", "''-y", "'quoted'", "a|b", "é€Ω", '"', "\r",
    "list:\n- one\n- two\r\n- three", ";'=1", ";;'=1", "\t=1", "'\t'=1", ';"=1"', `;"'"=1`, ",\t|'+", "a;'b", "it's -1, not +1", ...formulas, ...separators.flatMap((each) => formulas.map((text) => `Van${each}${text}`))];
  for (const separator of separators) {
    const rows = [...texts.map((text) => [text, "x", text]), texts];
    assert.deepEqual(parse(write(rows, separator), separator).map((record) => record.cells.map(unguard)), rows);
  }
  assert.deepEqual(parse(write([["a"], [""], ["b"]])).map((record) => record.cells), [["a"], [""], ["b"]]);
});

test("no cell is a formula, whatever separator the program that opens the file expects", async () => {
  const { parse, write } = await load("csv");
  for (const text of [...formulas, ...[...separators, "\n", "\r\n", '";"', ';"'].flatMap((each) => formulas.map((formula) => `Van${each}${formula}`))])
    for (const written of separators)
      for (const expected of separators)
        for (const { cells } of parse(write([["R-1", text, text], [text, text, "x"]], written), expected))
          for (const cell of cells) assert.doesNotMatch(cell, /^"*[=+\-@\t\r]/, `${JSON.stringify(text)} written with ${JSON.stringify(written)}, read with ${JSON.stringify(expected)}`);
});

test("a cell has quotation marks if it holds any separator or begins like a formula", async () => {
  const { write } = await load("csv");
  for (const [text, wanted] of [
    ["Van", "Van"], ["Van;=1+cmd", `"Van;'=1+cmd"`], ["Van,long", '"Van,long"'], ["Van\tlong", '"Van\tlong"'], ["Van|long", '"Van|long"'], ['3" pipe', '"3"" pipe"'],
    ["two\nlines", '"two\nlines"'], ["=1", `"'=1"`], ["+1", `"'+1"`], ["-1", `"'-1"`], ["@1", `"'@1"`], ["\t1", `"'\t1"`], ["\r1", `"'\r1"`], ["it's = not one", "it's = not one"], [" a", '" a"'],
  ]) for (const separator of separators) assert.equal(write([[text]], separator), `${wanted}\r\n`);
});

test("the separator and the encoding are found", async () => {
  const { separatorOf, decode } = await load("csv");
  assert.equal(separatorOf("a,b;c\n1,2;3\n4,5;6\n").separator, ",");
  assert.equal(separatorOf("ref;price\nA;1,5\nB;2,5\n").separator, ";");
  assert.equal(separatorOf("ref\tprice\nA\t1,5\n").separator, "\t");
  assert.equal(separatorOf('ref;"one, two, three"\nA;"x, y"\n').separator, ";");
  assert.deepEqual(separatorOf("sep=;\r\na,b;c\n"), { separator: ";", text: "a,b;c\n" });
  assert.equal(separatorOf("only one column\nx\n").separator, ",");
  assert.deepEqual(decode(bytes("Škoda")), { text: "Škoda", encoding: "UTF-8" });
  assert.deepEqual(decode(bytes([0xef, 0xbb, 0xbf], "Škoda")), { text: "Škoda", encoding: "UTF-8" });
  assert.deepEqual(decode(bytes("K", [0xfc], "hler")), { text: "Kühler", encoding: "Windows-1252" });
  assert.deepEqual(decode(bytes([0xff, 0xfe], Buffer.from("Kühler", "utf16le"))), { text: "Kühler", encoding: "UTF-16" });
});

test("amounts are understood in German and English form", async () => {
  const { readAmount, markOf, inUnits } = await load("amounts");
  const units = (text, mark, digits = 2) => {
    const found = readAmount(text, mark);
    return found && inUnits(found, digits);
  };
  for (const [text, wanted] of [
    ["19995", 1999500], ["19995.00", 1999500], ["19995,00", 1999500], ["19,995.50", 1999550], ["19.995,50", 1999550], ["1.234.567", 123456700],
    ["1,234,567.8", 123456780], ["19 995,5", 1999550], ["19\u00a0995,5", 1999550], ["19’995.50", 1999550], ["19'995", 1999500], ["£17,995.00", 1799500],
    ["17.995,00 €", 1799500], ["EUR 17.995,-", 1799500], ["17.995,-- EUR", 1799500], [".50", 50], ["0,5", 50], ["0.125", null], ["5.", 500],
  ]) for (const mark of [".", ","]) assert.equal(units(text, mark), wanted, `${text} with ${mark}`);
  // Told by the other numbers alone.
  assert.deepEqual([units("17.995", ","), units("17.995", "."), units("17,995", "."), units("17,995", ",")], [1799500, null, 1799500, null]);
  assert.deepEqual([units("17.990", ","), units("17.990", "."), units("17.990", ".", 3), units("17.990", ".", 0), units("0.500", "."), units("17995.000", ".")],
    [1799000, null, 17990, null, 50, 1799500]);
  assert.deepEqual([units("17,995", ",", 3), units("17,995", ".", 3), units("17,995", ".", 0)], [17995, 17995000, 17995]);
  for (const text of ["", "abc", "1.2.3", "1,23,456", "12.34,56.7", "1,2345.6", "-5", "1e3", "£5€", "5 pounds", "12.3456,7"]) assert.equal(units(text, "."), null, text);
  assert.deepEqual(["£1", "1 EUR", "$5", "chf 7", "8"].map((text) => readAmount(text, ".").currency), ["GBP", "EUR", null, "CHF", null]);
  assert.equal(markOf(["17.995", "1.234,5", "9"]), ",");
  assert.equal(markOf(["17.995", "12.5"]), ".");
  assert.equal(markOf(["1.234.567"]), ",");
  assert.equal(markOf(["17.995", "12", ""]), null);
});

test("a percentage is exact, and rounded as its rule says", async () => {
  const { changedPrice, readPercent, writeAmount } = await load("amounts");
  assert.deepEqual(["-5", "+2.5 %", "3,25", "−10%", "0", "100", "", "5.123", "x", "--5"].map(readPercent), [-500, 250, 325, -1000, 0, 10000, null, null, null, null]);
  for (const [price, percent, rule, wanted] of [
    [1999500, -500, {}, 1899525], [333, 1000, {}, 366], [335, 1000, {}, 369], [5, 1000, {}, 6], [1999500, -500, { step: 100 }, 1899500],
    [1999500, -500, { step: 5000 }, 1900000], [1999500, -500, { step: 10000, end: 9500 }, 1899500], [1999500, 300, { step: 10000, end: 9500 }, 2059500],
    [100, 0, { step: 10000, end: 9500 }, -500], [1_000_000_000_000, 1, {}, 1_000_100_000_000], [999_999_999_999, -1, {}, 999_899_999_999], [150, 0, { step: 100 }, 200],
  ]) assert.equal(changedPrice(price, percent, rule), wanted, `${price} ${percent} ${JSON.stringify(rule)}`);
  assert.deepEqual([writeAmount(1999500, 2, ","), writeAmount(5, 2, "."), writeAmount(5, 0, "."), writeAmount(12345, 3, ".")], ["19995,00", "0.05", "5", "12.345"]);
});
