#include "json/writer.h"

#include <charconv>

#include "core/text.h"

namespace tradepost::json {
namespace {

bool needs_escape(unsigned char c) {
    return c < 0x20 || c == '"' || c == '\\';
}

void append_escaped(std::string& out, std::string_view text) {
    static constexpr char digits[] = "0123456789abcdef";
    for (std::size_t start = 0; start < text.size();) {
        std::size_t plain = start;
        while (plain < text.size() && !needs_escape(static_cast<unsigned char>(text[plain]))) ++plain;
        out.append(text, start, plain - start);
        if (plain == text.size()) return;
        const unsigned char c = static_cast<unsigned char>(text[plain]);
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                out.append("\\u00") += digits[c >> 4], out += digits[c & 15];
        }
        start = plain + 1;
    }
}

// Byte for byte, so that what is valid in a damaged text stays readable.
std::string repaired(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t length = 1;
        while (length <= 4 && length <= text.size() && !core::is_utf8(text.substr(0, length))) ++length;
        if (length > 4 || length > text.size()) {
            out += "\xEF\xBF\xBD";
            length = 1;
        } else {
            out.append(text, 0, length);
        }
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace

Writer& Writer::begin(char bracket) {
    separate();
    out_ += bracket;
    comma_ = false;
    return *this;
}

Writer& Writer::end(char bracket) {
    out_ += bracket;
    comma_ = true;
    return *this;
}

Writer& Writer::name(std::string_view name) {
    separate();
    out_.append("\"").append(name).append("\":");
    comma_ = false;
    return *this;
}

Writer& Writer::text_name(std::string_view name) {
    value(name);
    out_ += ':';
    comma_ = false;
    return *this;
}

Writer& Writer::null() {
    return raw("null");
}

Writer& Writer::value(bool boolean) {
    return raw(boolean ? "true" : "false");
}

Writer& Writer::raw(std::string_view json) {
    separate();
    out_ += json;
    return *this;
}

Writer& Writer::plain(std::string_view text) {
    separate();
    out_.append("\"").append(text).append("\"");
    return *this;
}

Writer& Writer::value(std::int64_t number) {
    char digits[20];
    return raw({digits, std::size_t(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

Writer& Writer::value(std::string_view text) {
    separate();
    out_ += '"';
    if (core::is_utf8(text))
        append_escaped(out_, text);
    else
        append_escaped(out_, repaired(text));
    out_ += '"';
    return *this;
}

}  // namespace tradepost::json
