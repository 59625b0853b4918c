// Files of tests/api/: requests with their expected responses, tests and documentation at once.
//
//     # Lists leave out description.
//     @as demo
//     GET /api/v1/jobs?limit=1
//     ---
//     200
//     X-Total-Count: 12
//     !Set-Cookie
//     {"data": {"jobs": [{"slug": "parts-advisor", "…": "…"}], "total": 12, "page": 1, "pages": 12}}
//     ===
//     PATCH /api/v1/jobs/parts-advisor
//     {"city": "Hull"}
//     ---
//     404 Not found
//     ===
//     the next exchange
//
// Lines with # in front of a request or a status are comments. The body of a request follows its headers, without the line breaks
// at its end. A blank line in front of it is needed only if it begins with a letter or "!", as a header does, or is blank itself.
//
// Headers that are not written:
//     Authorization                 of the last @as above
//     Content-Type                  application/json, if there is a body
// A line of the request's own replaces them; !Authorization and !Content-Type send none.
//
// Before a request:
//     @as demo                      this and the following requests are sent with this token of the fixture. At first: @as nobody
//     @clock +61s                   moves the clock (ms, s, m, h, d)
//     @clock 2026-03-01T00:00:00Z   sets it; every file begins at 2026-03-01T12:00:00.000Z
//     @client 203.0.113.7           the address of this and the following requests; at first 198.51.100.1
//     @limit organisation_jobs 3    sets a key of [limits]
//     @sql UPDATE …                 changes the database; the file gets one of its own
//     @check VALUE = SELECT …       what the database must hold by now: one row with one value
//     @repeat 60                    sends the request so often; every answer must match
//     @hold jobs / @release         another connection locks the table, so that whoever reads it waits
//     @database away / back         a worker whose database does not answer, and the usual one again
//     @too-large                    the body is longer than the worker reads
//     @group                        begins a group, see below
//
// An expected answer: the status; headers, whose values must be equal; !Name for a header that must be absent; the body. "404 Not
// found" stands for the status and the body {"error": "Not found"}; a form of the body that begins with @ stands behind the
// status, too. Nothing there: the body must be empty. Forms of the body:
//     {"data": …}                   must be equal as JSON. "…": "…" in an object: it may have more members
//     […]                           of a feed: a JSON array of its lines
//     200 @any                      any body
//     200 @list jobs total=3 page=1 pages=1 SLUG …   a page with these items by their slugs, references or ids, in this order.
//                                   They may also be lines of their own. total, page and pages may be left out when this is
//                                   the only page
//     200 @unordered jobs …         the same in any order
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
//     {"title": "X", "{{field}}": {{value}}}
//     ---
//     400 Invalid field: {{field}}: {{error}}
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
//
// A table of its own, behind ===, sends a group once for each row: all exchanges from @group on, which may have tables themselves.
// Without @group the table must be the last thing in the file: the file runs once for each row, and every run begins with a clock
// and a database of its own.
//
//     @group
//     POST /api/v1/posts
//     {"title": "{{text}}"}
//     ---
//     201
//     @capture id = /data/id
//     {"data": {"title": "{{text}}", "…": "…"}}
//     ===
//     GET /api/v1/posts/{{id}}
//     ---
//     200
//     {"data": {"title": "{{text}}", "…": "…"}}
//     ===
//     @each text
//     O'Brien
//     100%
//     ===
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
    int line = 0;           // of the request
    std::vector<int> rows;  // lines of the rows that it was made from
    bool anew = false;      // with a clock and a database as at the beginning
    std::vector<Directive> before;
    std::string method, target;
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    std::string body;

    int status = 0;
    std::vector<ExpectedHeader> expected_headers;
    std::vector<std::pair<std::string, std::string>> captures;  // name, header or pointer
    std::string expected_body;

    // "12", or "12 (row 20)".
    std::string place() const;
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
