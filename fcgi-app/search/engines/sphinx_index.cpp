#include "search/engines/sphinx_index.h"

#include <algorithm>
#include <stdexcept>

#include "core/crypto.h"
#include "core/present.h"
#include "core/text.h"
#include "db/sphinxql.h"
#include "json/texts.h"
#include "lists/facets.h"
#include "lists/search_engine.h"
#include "search/engines/sphinx_query.h"
#include "search/grammar/tokens.h"

namespace tradepost::search {
namespace {

// Of a missing number or time: below, or above, all that there are.
constexpr std::int64_t before_all = -(std::int64_t(1) << 62), after_all = std::int64_t(1) << 62;

constexpr std::size_t key_bytes = 16;
constexpr std::size_t most_values = 100;  // of filters and owners in one search

std::string hex16(std::string_view value) {
    return core::to_hex(value.size() == key_bytes ? value : std::string_view(core::sha256(value)).substr(0, key_bytes));
}

// Eight bytes as a number, in the order of the bytes although numbers have a sign.
constexpr std::uint64_t sign = 1ull << 63;
std::int64_t number(std::string_view bytes) {
    std::uint64_t bits = 0;
    for (const char byte : bytes) bits = bits << 8 | std::uint8_t(byte);
    return std::int64_t(bits ^ sign);
}

// A number, or several in parentheses.
std::string facet_ids(const counts::Facet& facet, const std::optional<std::string>& text) {
    std::string ids;
    if (text)
        for (const auto& each : facet.read(*text))
            ids.append(ids.empty() ? "" : ",").append(std::to_string(counts::value_id(each)));
    return facet.kind == counts::Kind::texts ? "(" + ids + ")" : ids.empty() ? "0" : ids;
}

std::int64_t milliseconds(core::Time time) {
    return time.time_since_epoch().count();
}

}  // namespace

SphinxIndex::SphinxIndex(std::vector<const lists::List*> lists) : lists_(std::move(lists)) {
    for (const auto* list : lists_) {
        const auto words = list->searched->column;
        if (std::find(words_.begin(), words_.end(), words) == words_.end()) words_.push_back(words);
        if (list->scope == lists::listed)
            add(lists::listed, Kind::boolean);
        else
            add_keyword(list->scope);
        add(list->order.column, Kind::time);
        if (list->upcoming) add(list->upcoming->over, Kind::time);
        if (list->hidden) add(list->hidden->column, Kind::time, list->hidden->from_then_on);
        for (const auto& sort : list->orders) {
            const auto* counted = list->counts.range(sort.values());
            add(sort.values(), counted && !counted->is_time ? Kind::number : Kind::time);
        }
        for (const auto& facet : list->counts.facets)
            if (list == lists_[0]) facets_.push_back(&facet);
        for (const auto& filter : list->filters) {
            switch (filter.compare) {
                case lists::Compare::folded:
                case lists::Compare::code:
                case lists::Compare::reference:
                case lists::Compare::id:
                    add_keyword(filter.own_column(), filter.compare == lists::Compare::folded, filter.value_table != nullptr);
                    break;
                case lists::Compare::boolean:
                    add(filter.column, Kind::boolean);
                    break;
                case lists::Compare::present:
                    add(filter.column, Kind::time);
                    break;
                case lists::Compare::at_least:
                case lists::Compare::at_most:
                    add(filter.column, Kind::number);
                    break;
                case lists::Compare::from:
                case lists::Compare::to:
                    add(filter.column, Kind::time);
                    break;
            }
        }
    }
    auto text = columns_and_settings() + std::to_string(words_scheme);
    for (const auto& each : attributes_)
        text.append(" ").append(each.column).append(std::to_string(int(each.kind) * 2 + each.never_ends));
    for (const auto& each : keywords_) text.append(" ").append(each.column).append(std::to_string(each.folded * 2 + each.texts));
    const auto hash = core::sha256(text);
    fingerprint_ = std::uint64_t(number(std::string_view(hash).substr(0, 8)));
    pair_ = std::string(table()) + "_" + core::to_hex(hash).substr(0, 8);
}

void SphinxIndex::add(std::string_view column, Kind kind, bool never_ends) {
    const auto known =
        std::find_if(attributes_.begin(), attributes_.end(), [&](const auto& each) { return each.column == column; });
    if (known == attributes_.end()) attributes_.push_back({column, kind, never_ends});
}

void SphinxIndex::add_keyword(std::string_view column, bool folded, bool texts) {
    const auto known = std::find_if(keywords_.begin(), keywords_.end(), [&](const auto& each) { return each.column == column; });
    if (known == keywords_.end()) keywords_.push_back({column, folded, texts});
}

std::string SphinxIndex::columns_and_settings() const {
    std::string text = "\trt_field = filters\n";
    for (const auto& words : words_) text.append("\trt_field = ").append(words).append("\n");
    text.append("\trt_attr_bigint = id_high\n\trt_attr_bigint = id_low\n");
    for (const auto& attribute : attributes_)
        text.append(attribute.kind == Kind::boolean ? "\trt_attr_uint = " : "\trt_attr_bigint = ")
            .append(attribute.column)
            .append("\n");
    for (const auto* facet : facets_)
        text.append(facet->kind == counts::Kind::texts ? "\trt_attr_multi_64 = " : "\trt_attr_bigint = ")
            .append(facet_attribute(*facet))
            .append("\n");
    return text + "\trt_mem_limit = 16M\n\tdict = keywords\n\tmin_prefix_len = 1\n";
}

std::string SphinxIndex::definition(char side, const std::string& folder) const {
    const auto index = name(side);
    return "index " + index + "\n{\n\ttype = rt\n\tpath = " + folder + "/" + index + "\n" + columns_and_settings() + "}\n";
}

std::string SphinxIndex::select(std::string_view rows) const {
    const auto& searched = *lists_[0]->searched;
    std::string sql = "SELECT t.id";
    for (const auto& words : words_) sql.append(", s.").append(words);
    for (const auto& attribute : attributes_) sql.append(", t.").append(attribute.column);
    for (const auto& each : keywords_) sql.append(", t.").append(each.column);
    for (const auto* facet : facets_) sql.append(", t.").append(facet->column);
    return sql.append(" FROM ")
        .append(table())
        .append(" t STRAIGHT_JOIN ")
        .append(searched.table)
        .append(" s FORCE INDEX (PRIMARY) ON s.")
        .append(searched.id)
        .append(" = t.id WHERE ")
        .append(rows);
}

std::string SphinxIndex::columns() const {
    std::string names = "id, filters";
    for (const auto& words : words_) names.append(", ").append(words);
    names.append(", id_high, id_low");
    for (const auto& attribute : attributes_) names.append(", ").append(attribute.column);
    for (const auto* facet : facets_) names.append(", ").append(facet_attribute(*facet));
    return names;
}

std::string SphinxIndex::facet_attribute(const counts::Facet& facet) {
    return "facet_" + std::string(facet.column);
}

std::string SphinxIndex::document(const db::Row& row, std::uint64_t document_number) const {
    std::size_t at = id_column;
    const auto id = row.uuid(at++);
    std::string words, attributes, filters;
    for (std::size_t i = 0; i < words_.size(); ++i) words.append(", ").append(db::sphinx_literal(row.text(at++)));
    for (const auto& attribute : attributes_) {
        std::int64_t value = attribute.never_ends ? after_all : before_all;
        if (!row.is_null(at)) value = attribute.kind == Kind::time ? milliseconds(row.time(at)) : row.integer(at);
        attributes.append(", ").append(std::to_string(value));
        ++at;
    }
    for (const auto& each : keywords_) {
        const auto column = at++;
        if (row.is_null(column)) continue;
        if (!each.texts)
            filters.append(keyword(each.column, row.text(column))).append(" ");
        else
            for (const auto& text : json::parse_texts(row.text(column)))
                if (const auto key = core::fold_key(text); !key.empty()) filters.append(keyword(each.column, key)).append(" ");
    }
    for (const auto* facet : facets_) attributes.append(", ").append(facet_ids(*facet, row.opt_text(at++)));
    return "(" + std::to_string(document_number) + ", " + db::sphinx_literal(filters) + words + ", " +
           std::to_string(number(id.bytes().substr(0, 8))) + ", " + std::to_string(number(id.bytes().substr(8))) + attributes +
           ")";
}

// `f`, the number of the column, and 32 hexadecimal digits.
std::string SphinxIndex::keyword(std::string_view column, std::string_view value) const {
    const auto at = std::find_if(keywords_.begin(), keywords_.end(), [&](const auto& each) { return each.column == column; });
    if (at == keywords_.end()) throw std::logic_error("the search does not filter by " + std::string(column));
    const auto place = std::to_string(100 + (at - keywords_.begin())).substr(1);
    return "f" + place + hex16(value);
}

std::string SphinxIndex::match(const lists::Selection& selection) const {
    std::string filters;
    std::size_t count = 0;
    const auto add_any = [&](std::string_view column, const auto& values, const auto& text) {
        // The server's time for them grows with the square of their number, and it does not stop when its time is up.
        if ((count += values.size()) > most_values) throw lists::SearchUnavailable("too many values to filter by");
        std::string any;
        for (const auto& value : values) any.append(any.empty() ? "" : " | ").append(keyword(column, text(value)));
        filters.append(" (").append(any).append(")");
    };
    if (!selection.is_public()) add_any(selection.list->scope, selection.owners, [](const auto& owner) { return owner.bytes(); });
    for (const auto& each : selection.chosen)
        if (!each.is_range() && !each.is_boolean())
            add_any(each.filter->own_column(), each.texts, [](const auto& text) { return std::string_view(text); });
    auto text = sphinx_query(core::present(selection.search), selection.list->searched->column);
    if (!filters.empty()) text = "@filters" + filters + " " + text;
    return "MATCH(" + db::sphinx_literal(text) + ")";
}

std::string SphinxIndex::where(const lists::Selection& selection, core::Time now) const {
    const auto& list = *selection.list;
    auto sql = match(selection);
    if (selection.is_public()) sql += " AND listed = 1";
    if (list.hidden)
        sql.append(" AND ")
            .append(list.hidden->column)
            .append(list.hidden->from_then_on ? " > " : " <= ")
            .append(std::to_string(milliseconds(now)));
    for (const auto& each : selection.chosen) {
        if (!each.is_range() && !each.is_boolean()) continue;
        const auto number = std::to_string(each.number);
        const bool lower = each.filter->compare == lists::Compare::at_least || each.filter->compare == lists::Compare::from;
        sql.append(" AND ").append(each.filter->column);
        if (each.filter->compare == lists::Compare::present)
            sql.append(each.number ? " > " : " = ").append(std::to_string(before_all));
        else if (each.is_boolean())
            sql.append(" = ").append(number);
        else if (lower)
            sql.append(" BETWEEN ").append(number).append(" AND ").append(std::to_string(after_all - 1));
        else
            sql.append(" BETWEEN ").append(std::to_string(before_all + 1)).append(" AND ").append(number);
    }
    return sql;
}

SphinxIndex::Order SphinxIndex::order(const lists::Selection& selection, core::Time now) {
    const auto& list = *selection.list;
    const std::string by_weight(selection.by_relevance ? "weight() DESC, " : ""), by_id(", id_high DESC, id_low DESC");
    if (const auto* sort = selection.sort) {
        const std::string column(sort->values());
        if (sort->negates.empty()) return {"", by_weight + column + " DESC" + by_id};
        return {", IF(" + column + " = " + std::to_string(before_all) + ", 1, 0) AS missing",
                by_weight + "missing ASC, " + column + " ASC" + by_id};
    }
    const std::string column(list.order.column);
    if (!list.upcoming) return {"", by_weight + column + " DESC" + by_id};
    const auto is_over = std::string(list.upcoming->over) + " < " + std::to_string(milliseconds(now));
    return {", IF(" + is_over + ", 1, 0) AS past, IF(" + is_over + ", 0 - " + column + ", " + column + ") AS nearest",
            by_weight + "past ASC, nearest ASC" + by_id};
}

core::Uuid SphinxIndex::id(std::int64_t high, std::int64_t low) {
    std::string bytes;
    for (const auto half : {high, low})
        for (int shift = 56; shift >= 0; shift -= 8) bytes += char((std::uint64_t(half) ^ sign) >> shift & 0xFF);
    return core::Uuid::from_bytes(bytes);
}

std::vector<SphinxIndex> sphinx_indexes(std::span<const lists::CountedTable* const> tables) {
    std::vector<SphinxIndex> all;
    for (const auto* table : tables) {
        std::vector<const lists::List*> searched;
        for (const auto* list : table->lists())
            if (list->searched) searched.push_back(list);
        if (!searched.empty()) all.emplace_back(std::move(searched));
    }
    return all;
}

std::string SphinxIndex::note(std::int64_t first, std::int64_t second) {
    return "(id, filters, id_high, id_low) VALUES (" + std::to_string(note_number) + ", 'note', " + std::to_string(first) + ", " +
           std::to_string(second) + ")";
}

}  // namespace tradepost::search
