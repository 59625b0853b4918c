#include "support/bad_input_table.h"

#include "http/query.h"

namespace tradepost::test {

std::string repeat(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

namespace {

// SQL, full-text operators, templates, shells, other languages' endings.
const std::vector<std::string>& nasty_texts() {
    static const std::vector<std::string> texts{"'",
                                                "''",
                                                "\"",
                                                "\\",
                                                "\\'",
                                                "' OR '1'='1",
                                                "'; DROP TABLE jobs; --",
                                                "1' UNION SELECT password_hash FROM users -- ",
                                                "\" OR \"\"=\"",
                                                "/**/",
                                                "-- ",
                                                "#",
                                                ";",
                                                "`",
                                                "0x27",
                                                "CHAR(39)",
                                                "SLEEP(5)",
                                                "' AND SLEEP(5) AND '1'='1",
                                                "BENCHMARK(1000000,MD5(1))",
                                                "%",
                                                "_",
                                                "%%%",
                                                "*",
                                                "**",
                                                "+",
                                                "++w",
                                                "C++",
                                                "-",
                                                "--",
                                                "-a",
                                                "- a",
                                                "~a",
                                                "<a",
                                                ">a",
                                                "(a",
                                                "a)",
                                                "((((a))))",
                                                "a@b",
                                                "@4",
                                                "a @8 b",
                                                "\"a b\" @3",
                                                "\"",
                                                "\"\"",
                                                "\"a",
                                                "a\"b\"c",
                                                "\"-a\"",
                                                "-\"a b\"",
                                                "a*",
                                                "*a",
                                                "a**",
                                                "the",
                                                "a",
                                                "3D",
                                                "VW",
                                                "NOT a",
                                                "a AND b",
                                                "a OR b",
                                                "a|b",
                                                "a&b",
                                                "!a",
                                                "^a$",
                                                "a$",
                                                "=a",
                                                "a~2",
                                                "{a}",
                                                "[a]",
                                                "${jndi:ldap://x}",
                                                "{{7*7}}",
                                                "$(id)",
                                                "`id`",
                                                "| id",
                                                "../../etc/passwd",
                                                "..\\..",
                                                "<script>alert(1)</script>",
                                                "<!--",
                                                "]]>",
                                                "\xf0\x9f\x9a\x97",
                                                "\xe8\xbb\x8a",
                                                "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7",
                                                "\xc7\x84",
                                                "\xef\xb7\xba",
                                                "\xe2\x80\xae",
                                                "\xe2\x80\x8b",
                                                "\xef\xbb\xbf",
                                                "\xcc\x81",
                                                "e\xcc\x81",
                                                "\xc4\xb0",
                                                "\xc3\x9f",
                                                "\x01",
                                                "\t",
                                                "\r\n",
                                                "\r\nX-Injected: 1",
                                                "\x7f",
                                                "\xef\xbf\xbf",
                                                "null",
                                                "undefined",
                                                "NaN",
                                                "Infinity",
                                                "-1",
                                                "1e9",
                                                "true",
                                                "[]",
                                                "{}"};
    return texts;
}

}  // namespace

std::vector<std::string> nasty_queries() {
    std::vector<std::string> all;
    for (const auto& text : nasty_texts()) {
        all.push_back("q=" + http::percent_encode(text));
        all.push_back("category=" + http::percent_encode(text) + "&city=" + http::percent_encode(text) +
                      "&tag=" + http::percent_encode(text) + "&" + http::percent_encode(text) + "=1");
    }
    for (const std::string name :
         {"page", "limit", "salaryMin", "salaryMax", "from", "to", "organisationId", "status", "contractType"})
        for (const std::string value : {"",
                                        "0",
                                        "-1",
                                        "+1",
                                        "1.5",
                                        "01",
                                        "1e3",
                                        "0x10",
                                        "99999999999999999999999999",
                                        "2147483647",
                                        "2147483648",
                                        "9223372036854775808",
                                        "NaN",
                                        "%20",
                                        "%201",
                                        "1%00",
                                        "%EF%BC%91",
                                        "'",
                                        "2026-02-30",
                                        "2026-01-01T00:00:00Z",
                                        "9999-12-31T23:59:60Z",
                                        "0000-00-00",
                                        "00000000-0000-0000-0000-000000000000",
                                        "a&NAME=b"}) {
            auto query = name + "=" + value;
            if (const auto at = query.find("NAME"); at != std::string::npos) query.replace(at, 4, name);
            all.push_back(query);
        }
    for (const std::string query : {"%",
                                    "%a",
                                    "%zz",
                                    "q=%",
                                    "q=%a",
                                    "q=%zz",
                                    "q=%00",
                                    "q=a%00b",
                                    "q=%ff",
                                    "q=%c0%80",
                                    "q=%ed%a0%80",
                                    "q=%f5%80%80%80",
                                    "q=%e2%82",
                                    "%ff=1",
                                    "%00=1",
                                    "q=a&q=b",
                                    "page=1&page=1",
                                    "limit=1&limit=2",
                                    "&",
                                    "&&&=",
                                    "=",
                                    "=1",
                                    "q",
                                    "q&page",
                                    "?",
                                    "??q=1",
                                    "q=1?page=2",
                                    "q=a#b",
                                    "q[]=a",
                                    "q[a]=b",
                                    "page[]=1",
                                    "q=%25%32%35",
                                    "q=+",
                                    "q=%2B",
                                    "q=%09",
                                    "a;b;c",
                                    "page=1;limit=2"})
        all.push_back(query);
    all.push_back("q=" + std::string(201, 'a'));
    all.push_back("q=" + repeat("a%20", 100));
    all.push_back("q=" + repeat("%22", 200));
    all.push_back("q=" + repeat("(", 200));
    all.push_back("q=" + repeat("-a%20", 40));
    all.push_back("category=" + std::string(10000, 'x'));
    all.push_back(repeat("category=a&", 1000));
    all.push_back(repeat("x=1&", 3000));
    all.push_back("salaryMin=2&salaryMax=1");
    all.push_back("from=2026-02-01&to=2026-01-01");
    all.push_back("page=2147483647&limit=100");
    return all;
}

std::vector<std::string> nasty_segments() {
    std::vector<std::string> all;
    for (const auto& text : nasty_texts()) all.push_back(http::percent_encode(text));
    for (const std::string segment : {"%2e%2e",
                                      "%252e",
                                      "%2F",
                                      "%5c",
                                      "%ff",
                                      "%c0%af",
                                      "%e2%82",
                                      "00000000-0000-0000-0000-000000000000",
                                      "ffffffff-ffff-ffff-ffff-ffffffffffff",
                                      "01941f2c3b2070e19469595d758e9479",
                                      "0",
                                      "-1",
                                      "a,b",
                                      "a;b",
                                      "a:b",
                                      "~",
                                      "con",
                                      ".htaccess",
                                      "a.php",
                                      "a.html"})
        all.push_back(segment);
    all.push_back(std::string(5000, 'a'));
    return all;
}

}  // namespace tradepost::test
