// Files of tests/api/: requests with their expected responses, tests and documentation at once.
//
//     # Lists leave out description.
//     GET /api/v1/jobs?limit=1
//     Authorization: Bearer {{token:demo}}
//
//     ---
//     200
//     X-Total-Count: 12
//     !Set-Cookie
//
//     {"data": {"jobs": [{"slug": "parts-advisor", "…": "…"}], "total": 12, "page": 1, "pages": 12}}
//     ===
//     the next exchange
//
// Lines with # in front of a request or a status are comments. The body of a request is what follows the blank line, without
// the line breaks at its end.
//
// Before a request:
//     @clock +61s                   moves the clock (ms, s, m, h, d)
//     @clock 2026-03-01T00:00:00Z   sets it; every file begins at 2026-03-01T12:00:00.000Z
//     @client 203.0.113.7           the address of this and the following requests; at first 198.51.100.1
//     @sql UPDATE …                 changes the database; the file gets one of its own
//     @check VALUE = SELECT …       what the database must hold by now: one row with one value
//     @repeat 60                    sends the request so often; every answer must match
//     @hold jobs / @release         another connection locks the table, so that whoever reads it waits
//     @database away / back         a worker whose database does not answer, and the usual one again
//     @too-large                    the body is longer than the worker reads
//
// An expected answer: the status; headers, whose values must be equal; !Name for a header that must be absent; after a blank line
// the body. Nothing there: the body must be empty. Forms of the body:
//     {"data": …}                   must be equal as JSON. "…": "…" in an object: it may have more members
//     @any                          not looked at
//     […]                           of a feed: a JSON array of its lines
//     @list jobs total=3 page=1 pages=1   and a slug a line (a reference, an id of what has none): a page with these items, in this
//                                   order; total, page and pages may be left out when this is the only page
//     @unordered jobs …             the same in any order
// And before the body:
//     @capture NAME = ETag          the header, or with a JSON pointer (/data/token) the value in the body; {{NAME}} from then on
//
// In expected headers and strings <uuid>, <time>, <hex64>, <id> (a request's), <digits>, <etag>, <any> and <text> (which may be
// empty) stand for what cannot be known. A whole
// "<any>" in JSON stands for any value.
//
// Everywhere: {{token:NAME}} (a token of the fixture), {{repeat:3:TEXT}}, {{hex:EFBBBF}} (bytes), {{NAME}} (what was captured).
//
// A table behind the expected body sends the exchange once for each of its rows:
//
//     POST /api/v1/jobs
//     Content-Type: application/json
//
//     {"title": "X", "{{field}}": {{value}}}
//     ---
//     400
//
//     {"error": "Invalid field: {{field}}: {{error}}"}
//     @each value
//     @field workplace
//     @error must be one of ON_SITE, HYBRID, REMOTE
//     ""
//     "on_site"
//     @error must be a string
//     7
//     ===
//
// A row is a whole line, taken as it is: the text of {{value}}, or whatever name @each gives. Other names get their texts by
// lines of their own, each for all rows below it until the next such line. Names are free. They may stand for any part of the
// exchange but its status and the names of headers; a row may also be the whole line of the request. Directives before the
// request are obeyed for every row. Blank lines and comments are no rows: write {{hex:}} for an empty row, and {{hex:23}} or
// {{hex:40}} for # or @ at the beginning of one.
#pragma once
#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tradepost::test {

struct Directive {
    std::string name, argument;
    int line;
};

struct ExpectedHeader {
    std::string name;
    std::optional<std::string> value;  // empty: must be absent
};

// Texts as they are written, nothing expanded.
struct Exchange {
    int line = 0;  // of the request, or of the table's row
    std::vector<Directive> before;
    std::string method, target;
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    std::string body;

    int status = 0;
    std::vector<ExpectedHeader> expected_headers;
    std::vector<std::pair<std::string, std::string>> captures;  // name, header or pointer
    std::string expected_body;
};

struct CaseFile {
    std::string path;
    std::vector<Exchange> exchanges;

    // Whether it may change the database: it then gets one of its own.
    bool writes() const;
};

// Both throw std::runtime_error with path and line for what is no case.
CaseFile parse_case(const std::string& path, std::istream& text);
CaseFile read_case_file(const std::string& path);

// Paths of all *.case files below `directory`, sorted.
std::vector<std::string> find_case_files(const std::string& directory);

}  // namespace tradepost::test
