// Mapping files, and what they make of a row.
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "core/text.h"
#include "ctl/import/foreign.h"
#include "ctl/import/html.h"
#include "db/statement.h"

namespace tradepost::ctl {
namespace {

constexpr std::string_view key_column = "key";

std::string one_query(const std::string& place, const std::string& text) {
    std::string query;
    try {
        query = core::trim(db::only_statement(text));
    } catch (const std::logic_error& error) {
        throw Failure(place + " query: " + error.what() + "; write one SELECT");
    }
    const auto begin = core::lower_ascii(query.substr(0, 6));
    if (begin != "select" && !begin.starts_with("with")) throw Failure(place + " query: must begin with SELECT or WITH");
    return query;
}

Mapping read_section(const std::string& place, const ImportKind& kind, const toml::table& section) {
    Mapping mapping{&kind, place, "", {}};
    for (const auto& [key, node] : section) {
        const std::string name(key.str());
        if (name == "query" && node.is_string()) {
            mapping.query = one_query(place, node.as_string()->get());
        } else if (name == "html" && node.is_array()) {
            for (const auto& item : *node.as_array()) mapping.html.push_back(item.value_or(std::string()));
        } else if (name == "query" || name == "html") {
            throw Failure(place + " " + name + ": must be " + (name == "query" ? "a string" : "a list of columns"));
        } else {
            throw Failure(place + " " + name + ": is not a setting; a section has query and html");
        }
    }
    if (mapping.query.empty()) throw Failure(place + " query: is missing");
    return mapping;
}

// "2026-01-15 09:00:00" of a session in UTC, as RFC 3339 has it; other texts as they are.
std::string time_text(const std::string& text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto has = [&](std::size_t at, char c) { return text.size() > at && text[at] == c; };
    if (!has(4, '-') || !has(7, '-') || text.size() < 10 || !is_digit(text.back())) return text;
    if (text.size() == 10) return text + "T00:00:00Z";
    return has(10, ' ') && has(13, ':') && has(16, ':') && text.find_first_of("+-", 17) == std::string::npos
               ? text.substr(0, 10) + "T" + text.substr(11) + "Z"
               : text;
}

json::Json json_or_text(const std::string& text) {
    try {
        return json::parse(text);
    } catch (const http::ApiError&) {
        return text;  // the import says what is wrong with it
    }
}

}  // namespace

std::vector<Mapping> read_mappings(const std::string& path) {
    toml::table file;
    if (std::filesystem::is_directory(path)) throw Failure(path + ": is a folder; name the file in it");
    try {
        file = toml::parse_file(path);
    } catch (const toml::parse_error& error) {
        const auto line = error.source().begin.line;
        throw Failure(path + ":" + (line ? std::to_string(line) + ": " : " ") + std::string(error.description()));
    }
    std::vector<Mapping> all;
    for (const auto& kind : import_kinds()) {
        const auto* const node = file.get(kind.name);
        const auto place = path + ": [" + std::string(kind.name) + "]";
        if (!node || kind.name == "organisations") continue;
        if (!node->is_table()) throw Failure(place + ": must be a section");
        all.push_back(read_section(place, kind, *node->as_table()));
    }
    if (all.size() < file.size())
        for (const auto& [key, node] : file)
            if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.kind->name == key.str(); }))
                throw Failure(path + ": [" + std::string(key.str()) +
                              "] is unknown; sections are users, jobs, events, posts and stock");
    if (all.empty()) throw Failure(path + ": has no section; write [users] or [posts] with a query");
    return all;
}

RowLines::RowLines(const Mapping& mapping, const std::vector<std::string>& columns) : mapping_(mapping) {
    std::set<std::string> names;
    for (const auto& field : import_fields(*mapping.kind)) names.insert(field.at("field").get<std::string>());
    std::set<std::string> seen;
    for (const auto& name : columns) {
        if (name != key_column && !names.contains(name))
            throw Failure(mapping.place + " query: the column " + printable(name) +
                          " is no field: see tradepostctl import fields " + std::string(mapping.kind->name));
        if (!seen.insert(name).second) throw Failure(mapping.place + " query: the column " + name + " is there twice");
        const bool is_html = std::find(mapping.html.begin(), mapping.html.end(), name) != mapping.html.end();
        columns_.push_back({name, mapping.kind->rule(name), is_html});
    }
    for (const auto& name : mapping.html)
        if (!seen.contains(name)) throw Failure(mapping.place + " html: the query has no column " + printable(name));
    if (!seen.contains(std::string(key_column)))
        throw Failure(mapping.place + " query: select the row's key too, such as id AS `key`: faults name it");
}

std::string RowLines::line(const std::vector<std::optional<std::string>>& cells) {
    auto object = json::Json::object();
    std::string key;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto& column = columns_[i];
        const auto& cell = cells[i];
        if (cell && (!core::is_utf8(*cell) || cell->find('\0') != std::string::npos))
            throw Failure(mapping_.place + ": row " + std::to_string(keys_.size() + 1) + ": the column " + column.name +
                          " is no text in UTF-8 without NUL: use CONVERT(… USING utf8mb4) or HEX() in the query");
        if (column.name == key_column) {
            key = cell.value_or("");
            continue;
        }
        auto found = cell ? value(column, *cell) : json::Json();
        // Those with a default have no null.
        if (found.is_null() && (!column.rule || column.rule->presence == fields::Presence::defaulted) &&
            column.name != "organisation")
            continue;
        object[column.name] = std::move(found);
    }
    keys_.push_back(key);
    return object.dump();
}

json::Json RowLines::value(const Column& column, const std::string& text) const {
    using fields::Kind;
    if (!column.rule) return text.starts_with('[') || text.starts_with('{') ? json_or_text(text) : json::Json(text);
    switch (column.rule->kind) {
        case Kind::integer: {
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            return error == std::errc() && end == text.data() + text.size() ? json::Json(number) : json::Json(text);
        }
        case Kind::boolean:
            return text == "0" || text == "1" ? json::Json(text == "1") : json::Json(text);
        case Kind::text_list:
        case Kind::text_map:
            return json_or_text(text);
        case Kind::time:
            return text.starts_with("0000-00-00") ? json::Json() : json::Json(time_text(text));
        default:
            return column.is_html ? text_of_html(text) : text;
    }
}

}  // namespace tradepost::ctl
