#include "ctl/import/html.h"

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "core/utf8.h"

namespace tradepost::ctl {
namespace {

constexpr auto none = std::string_view::npos;
constexpr std::size_t longest_reference = 12;

struct Named {
    std::string_view name;
    char32_t character;
};
constexpr Named named_characters[] = {
    {"amp", '&'},       {"lt", '<'},       {"gt", '>'},       {"quot", '"'},     {"apos", '\''},    {"nbsp", ' '},
    {"hellip", 0x2026}, {"ndash", 0x2013}, {"mdash", 0x2014}, {"lsquo", 0x2018}, {"rsquo", 0x2019}, {"ldquo", 0x201C},
    {"rdquo", 0x201D},  {"bdquo", 0x201E}, {"laquo", 0xAB},   {"raquo", 0xBB},   {"bull", 0x2022},  {"middot", 0xB7},
    {"euro", 0x20AC},   {"pound", 0xA3},   {"copy", 0xA9},    {"reg", 0xAE},     {"trade", 0x2122}, {"deg", 0xB0},
    {"auml", 0xE4},     {"ouml", 0xF6},    {"uuml", 0xFC},    {"Auml", 0xC4},    {"Ouml", 0xD6},    {"Uuml", 0xDC},
    {"szlig", 0xDF},    {"eacute", 0xE9},  {"egrave", 0xE8},  {"agrave", 0xE0},  {"ccedil", 0xE7},  {"times", 0xD7},
};

// The character that "&#8217;", "&#x2019;" or "&amp;" stands for, without & and semicolon; 0 for any other text.
char32_t character_of(std::string_view reference) {
    if (reference.starts_with('#')) {
        const bool hexadecimal = reference.size() > 1 && (reference[1] == 'x' || reference[1] == 'X');
        const auto digits = reference.substr(hexadecimal ? 2 : 1);
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
        const bool whole = error == std::errc() && end == digits.data() + digits.size();
        return whole && number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF) ? number : 0;
    }
    for (const auto& [name, character] : named_characters)
        if (name == reference) return character;
    return 0;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The position after the tag that begins at `at`; npos when it does not end.
std::size_t end_of_tag(std::string_view html, std::size_t at) {
    for (char quote = 0; at < html.size(); ++at) {
        if (quote) {
            if (html[at] == quote) quote = 0;
        } else if (html[at] == '"' || html[at] == '\'') {
            quote = html[at];
        } else if (html[at] == '>') {
            return at + 1;
        }
    }
    return none;
}

// The text that takes the place of a tag.
std::string_view text_of_tag(std::string_view name, bool closes) {
    constexpr std::string_view blocks[] = {"p",  "div", "h1",    "h2", "h3",         "h4",     "h5",         "h6",      "ul",
                                           "ol", "dl",  "table", "hr", "blockquote", "figure", "figcaption", "section", "pre"};
    if (name == "br") return "\n";
    if (name == "li") return closes ? "" : "\n- ";
    if (name == "tr" || name == "dt" || name == "dd") return closes ? "" : "\n";
    if (name == "td" || name == "th") return closes ? " " : "";
    return std::find(std::begin(blocks), std::end(blocks), name) == std::end(blocks) ? "" : "\n\n";
}

// At most one empty line, and no white space before the end of a line.
std::string tidy(std::string_view text) {
    std::string out;
    std::size_t breaks = 0;
    for (const char c : text) {
        if (c == '\r') continue;
        if (c == '\n') {
            while (out.ends_with(' ') || out.ends_with('\t')) out.pop_back();
            if (++breaks > 2) continue;
        } else if (c != ' ' && c != '\t') {
            breaks = 0;
        } else if (breaks > 0) {
            continue;
        }
        out += c;
    }
    return std::string(core::trim(out));
}

}  // namespace

std::string text_of_html(std::string_view html) {
    std::string out;
    for (std::size_t at = 0; at < html.size();) {
        const auto rest = html.substr(at);
        if (rest.starts_with("<!--")) {
            const auto end = rest.find("-->");
            at = end == none ? html.size() : at + end + 3;
        } else if (rest.size() > 1 && rest[0] == '<' && (is_letter(rest[1]) || rest[1] == '/' || rest[1] == '!')) {
            const auto end = end_of_tag(html, at);
            if (end == none) {
                out += html[at++];
                continue;
            }
            const bool closes = rest[1] == '/';
            const auto begin = at + (closes ? 2 : 1);
            auto stop = begin;
            while (stop < end && (is_letter(html[stop]) || (html[stop] >= '0' && html[stop] <= '9'))) ++stop;
            const auto name = core::lower_ascii(html.substr(begin, stop - begin));
            out += text_of_tag(name, closes);
            at = end;
            if (!closes && (name == "script" || name == "style")) {
                const auto close = core::lower_ascii(html.substr(at)).find("</" + name);
                at = close == none ? html.size() : at + close;
            }
        } else if (const auto end = rest[0] == '&' ? rest.substr(0, longest_reference).find(';') : none;
                   end != none && character_of(rest.substr(1, end - 1))) {
            core::append_code_point(out, character_of(rest.substr(1, end - 1)));
            at += end + 1;
        } else {
            out += html[at++];
        }
    }
    return tidy(out);
}

}  // namespace tradepost::ctl
