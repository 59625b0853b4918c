#include "db/statement.h"

#include <algorithm>
#include <stdexcept>

#include "core/crypto.h"
#include "core/text.h"

namespace tradepost::db {
namespace {

void append_text(std::string& out, std::string_view text) {
    out += '\'';
    for (char c : text) {
        switch (c) {
            case '\0':
                out += "\\0";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\x1a':
                out += "\\Z";
                break;
            case '\'':
                out += "\\'";
                break;
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            default:
                out += c;
        }
    }
    out += '\'';
}

void append_bytes(std::string& out, std::string_view bytes) {
    out += "x'";
    out += core::to_hex(bytes);
    out += '\'';
}

struct Append {
    std::string& out;
    void operator()(std::monostate) const { out += "NULL"; }
    void operator()(std::int64_t v) const { out += std::to_string(v); }
    void operator()(std::uint64_t v) const { out += std::to_string(v); }
    void operator()(std::string_view v) const { append_text(out, v); }
    void operator()(Binary v) const { append_bytes(out, v.bytes); }
    void operator()(const core::Uuid& v) const { append_bytes(out, v.bytes()); }
    void operator()(core::Time v) const { append_text(out, core::to_sql(v)); }
};

// The servers take "--" for a comment only when white space or the end follows: `5--1` is a sum.
bool is_comment(std::string_view sql, std::size_t at) {
    const auto rest = sql.substr(at);
    const bool dashes = rest.starts_with("--") && (rest.size() == 2 || static_cast<unsigned char>(rest[2]) <= ' ');
    return dashes || rest.starts_with('#') || rest.starts_with("/*");
}

// The position after the quoted part or comment that begins at `at`, or `at` when none does.
// A doubled quote ends one quoted part and begins the next, which comes to the same.
std::size_t skip_quoted(std::string_view sql, std::size_t at) {
    const char first = sql[at];
    if (first == '\'' || first == '"' || first == '`') {
        for (std::size_t i = at + 1; i < sql.size(); ++i) {
            if (sql[i] == '\\' && first != '`') {
                ++i;
            } else if (sql[i] == first) {
                return i + 1;
            }
        }
        throw std::logic_error("statement with an open quote: " + abbreviate(sql));
    }
    if (!is_comment(sql, at)) return at;
    if (first != '/') return std::min(sql.size(), sql.find('\n', at));
    const auto end = sql.find("*/", at + 2);
    if (end == std::string_view::npos) throw std::logic_error("statement with an open comment: " + abbreviate(sql));
    return end + 2;
}

}  // namespace

std::string literal(const Value& value) {
    std::string out;
    std::visit(Append{out}, value.variant());
    return out;
}

std::string render(std::string_view sql, std::span<const Value> values) {
    std::string out;
    out.reserve(sql.size() + 40 * values.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < sql.size();) {
        if (sql[i] == '?') {
            if (used == values.size()) throw std::logic_error("too few values for: " + abbreviate(sql));
            std::visit(Append{out}, values[used++].variant());
            ++i;
            continue;
        }
        const auto end = std::max(skip_quoted(sql, i), i + 1);
        out.append(sql, i, end - i);
        i = end;
    }
    if (used != values.size()) throw std::logic_error("too many values for: " + abbreviate(sql));
    return out;
}

std::string_view only_statement(std::string_view sql) {
    std::size_t end = sql.size();
    bool found = false;
    for (std::size_t i = 0; i < sql.size();) {
        const auto next = skip_quoted(sql, i);
        const bool blank = static_cast<unsigned char>(sql[i]) <= ' ' || is_comment(sql, i);
        if (sql[i] == ';') {
            if (!found) throw std::logic_error("there is no statement");
            if (end == sql.size()) end = i;
        } else if (!blank) {
            if (end != sql.size()) throw std::logic_error("there is more than one statement");
            found = true;
        }
        i = std::max(next, i + 1);
    }
    if (!found) throw std::logic_error("there is no statement");
    return sql.substr(0, end);
}

std::string abbreviate(std::string_view sql) {
    constexpr std::size_t limit = 120;
    std::string out;
    for (char c : sql) {
        const bool space = static_cast<unsigned char>(c) <= ' ';
        if (space && (out.empty() || out.back() == ' ')) continue;
        if (out.size() == limit) return out + "...";
        out += space ? ' ' : c;
    }
    return out;
}

std::string statement_name(std::string_view signature) {
    // Up to the parameters; what stands behind them, of a lambda for instance, is inside of that function.
    std::string name(signature.substr(0, signature.find('(')));
    // Template arguments may hold blanks, as the result's type before the name does.
    for (auto close = name.find('>'); close != std::string::npos; close = name.find('>')) {
        const auto open = name.rfind('<', close);
        if (open == std::string::npos) break;
        name.erase(open, close - open + 1);
    }
    if (const auto blank = name.find_last_of(" *&"); blank != std::string::npos) name.erase(0, blank + 1);
    for (const std::string_view hidden : {"tradepost::", "{anonymous}::", "Impl::"})
        for (auto at = name.find(hidden); at != std::string::npos; at = name.find(hidden)) name.erase(at, hidden.size());
    return name;
}

bool only_reads(std::string_view sql) {
    const auto start = core::lower_ascii(core::trim(sql).substr(0, 6));
    return start == "select" || start.starts_with("show ");
}

bool may_wait_for_locks(std::string_view sql) {
    sql = core::trim(sql);
    return only_reads(sql) && (sql.ends_with("FOR UPDATE") || sql.ends_with("LOCK IN SHARE MODE"));
}

}  // namespace tradepost::db
