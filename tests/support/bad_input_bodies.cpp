#include "support/bad_input_table.h"

namespace tradepost::test {

std::vector<std::string> nasty_bodies() {
    std::vector<std::string> all{"",
                                 " ",
                                 "null",
                                 "true",
                                 "0",
                                 "\"\"",
                                 "[]",
                                 "{}",
                                 "{",
                                 "}",
                                 "[",
                                 "{\"email\":}",
                                 "{\"email\":\"a\"",
                                 "{\"email\":\"a\",}",
                                 "{email:\"a\"}",
                                 "{'email':'a'}",
                                 "{\"email\":\"a\",\"email\":\"b\",\"password\":\"c\"}",
                                 "{}{}",
                                 "{} x",
                                 "\xef\xbb\xbf{}",
                                 std::string("{}\0", 3),
                                 std::string("{\"email\":\"a\0b\",\"password\":\"c\"}", 31),
                                 "{\"email\":\"\\u0000\",\"password\":\"x\"}",
                                 "{\"email\":\"\\ud800\",\"password\":\"x\"}",
                                 "{\"email\":\"\xff\",\"password\":\"x\"}",
                                 "{\"email\":\"\xc0\x80\",\"password\":\"x\"}",
                                 "{\"email\":1,\"password\":2}",
                                 "{\"email\":null,\"password\":null}",
                                 "{\"email\":[],\"password\":{}}",
                                 "{\"email\":\"\",\"password\":\"\"}",
                                 "{\"email\":\"' OR 1=1 -- \",\"password\":\"' OR 1=1 -- \"}",
                                 "{\"email\":\"a@b.example\",\"password\":\"x\",\"admin\":true}",
                                 "{\"__proto__\":{}}",
                                 "{\"email\":1e999,\"password\":\"x\"}",
                                 "{\"email\":123456789012345678901234567890}",
                                 "{\"a\":-}",
                                 "{\"a\":01}",
                                 "{\"a\":NaN}",
                                 "{\"a\":Infinity}",
                                 "{\"a\":\"\x01\"}",
                                 "{\"a\":\"\\x\"}",
                                 "// c\n{}",
                                 "/* c */{}",
                                 "<xml/>",
                                 "email=a&password=b",
                                 "--x\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\na\r\n--x--"};
    all.push_back(std::string(100000, '['));
    all.push_back(repeat("{\"a\":", 100000));
    all.push_back("{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}");
    all.push_back("{\"email\":\"" + std::string(500000, 'a') + "\",\"password\":\"x\"}");
    all.push_back("{\"email\":\"a@b.example\",\"password\":\"" + std::string(900000, 'x') + "\"}");
    all.push_back("{" + repeat("\"a\":1,", 100000) + "\"b\":1}");
    all.push_back(std::string(2 << 20, ' '));
    all.push_back(std::string(2 << 20, '\0'));
    return all;
}

std::vector<std::string> nasty_content_types() {
    return {"",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json; charset=utf-16",
            "application/jsonp",
            "application/json;;;",
            "APPLICATION/JSON",
            "application/merge-patch+json",
            "json",
            "*/*",
            "application/json, text/plain",
            "application/\xff",
            std::string(4000, 'x')};
}

std::vector<std::string> nasty_header_values() {
    return {"Bearer",
            "Bearer ",
            "Bearer  x",
            "bearer " + std::string(64, 'g'),
            "Bearer " + std::string(64, 'A'),
            "Bearer " + std::string(64, '0'),
            "Bearer " + std::string(65, '0'),
            "Bearer " + std::string(63, '0'),
            "Bearer ' OR 1=1 -- ",
            "Bearer " + std::string(8000, 'a'),
            "Basic YTpi",
            "Digest username=\"a\"",
            "Bearer " + std::string(64, '0') + ", Bearer " + std::string(64, '1'),
            "\xff\xfe",
            "\"",
            "W/",
            "W/\"",
            "*",
            "\"a\", \"b",
            ",,,,",
            repeat("\"a\",", 1000),
            "0",
            "-1",
            "gzip;q=9",
            "bytes=0-1,5-",
            "100-continue, x",
            "${jndi:ldap://x}",
            "() { :;}; id"};
}

}  // namespace tradepost::test
