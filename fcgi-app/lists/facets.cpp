#include "lists/facets.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "counts/table.h"
#include "http/error.h"
#include "json/writer.h"
#include "lists/search_engine.h"
#include "lists/source.h"
#include "lists/totals.h"

namespace tradepost::lists {
namespace {

constexpr std::size_t most_shown = 100;

const Chosen* chosen_of(const Selection& selection, const counts::Facet& field) {
    for (const auto& each : selection.chosen)
        if (each.filter->parameter == field.name) return &each;
    return nullptr;
}

// A row has one value of the field: what the field's own filter leaves can be told from the values.
bool decides_alone(const counts::Facet& field) {
    return field.kind != counts::Kind::texts;
}

// The keys whose facets add up to the selection without the field's own filter. Empty where they are not kept.
std::optional<std::vector<counts::Key>> kept_keys(const Selection& selection, const counts::Facet& field) {
    const auto& most = selection.list->counts.most_letters_of_facets;
    auto others = selection;
    std::erase_if(others.chosen, [&](const auto& each) { return each.filter->parameter == field.name && decides_alone(field); });
    const bool has_range =
        std::any_of(others.chosen.begin(), others.chosen.end(), [](const auto& each) { return each.is_range(); });
    if (!most || has_range || others.chosen.size() > *most) return {};
    return count_keys(others);
}

// The counts of fields that are kept under the same keys. Not a UNION, which would take several times as long.
void add_kept_under(db::Connection& connection, counts::Texts& texts, const std::vector<counts::Key>& keys,
                    const Selection& selection, const Fields& fields, Facets& facets) {
    std::vector<db::Value> values;
    for (const auto& key : keys) values.emplace_back(db::Binary{std::string_view(key.data(), key.size())});
    std::string measures;
    for (const auto* field : fields)
        if (field) measures.append(measures.empty() ? "" : ", ").append(std::to_string(field->measure));
    db::Sql sql("SELECT measure, bucket, CAST(SUM(n) AS SIGNED) FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND ",
                {selection.list->table});
    sql.add_in("filter", std::span<const db::Value>(values)).add(" AND measure IN (" + measures + ") GROUP BY measure, bucket");
    const auto rows = connection.query(sql);
    std::vector<std::uint64_t> ids;
    for (const auto& row : rows) ids.push_back(row.unsigned_integer(1));
    texts.learn(connection, ids);
    for (const auto& row : rows) {
        if (row.integer(2) == 0) continue;
        const auto* text = texts.find(row.unsigned_integer(1));
        if (!text) throw std::runtime_error("facet_values lacks a value that is counted");
        const auto at = std::find_if(fields.begin(), fields.end(),
                                     [&](const auto* field) { return field && field->measure == row.integer(0); });
        const auto* own = decides_alone(**at) ? chosen_of(selection, **at) : nullptr;
        if (!own || std::binary_search(own->texts.begin(), own->texts.end(), (*at)->compared(*text)))
            facets.counts[std::size_t(at - fields.begin())][*text] += row.integer(2);
    }
}

// Whether the kept counts are complete. Where the total is one of them, the same statement reads it into `total`.
bool counts_are_complete(db::Connection& connection, const Selection& selection, core::Time now, std::optional<Total>& total) {
    if (!count_keys(selection)) {
        const auto row = connection.query("SELECT " + std::string(counts::complete_scheme()), {selection.list->table}).at(0);
        return row.opt_integer(0) == counts::counting_scheme;
    }
    const TotalColumns columns(selection, now);
    total = columns.read(connection.query(db::Sql("SELECT ").add(columns.sql())).at(0), 0);
    return total.has_value();
}

db::Sql of_table(const Selection& selection, Rows rows, core::Time now) {
    const auto table = std::string(selection.list->table) + " t";
    auto found = source(selection, rows, now);
    if (found.id == "t.id") return std::move(found.from);
    db::Sql sql(" FROM (SELECT " + std::string(found.id) + " AS id");
    return sql.add(found.from).add(") k STRAIGHT_JOIN " + table + " FORCE INDEX (PRIMARY) ON t.id = k.id");
}

// Adds what is kept; `total` is set if it was read on the way. Returns the fields that are not, with a null for each of the others.
Fields add_kept(db::Connection& connection, counts::Texts& texts, const Selection& selection, const Fields& fields,
                core::Time now, Facets& facets, std::optional<Total>& total) {
    Fields kept(fields.size()), others(fields);
    std::map<std::vector<counts::Key>, Fields> by_keys;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto keys = kept_keys(selection, *fields[i]);
        if (!keys) continue;
        kept[i] = std::exchange(others[i], nullptr);
        by_keys.try_emplace(*keys, fields.size()).first->second[i] = fields[i];
    }
    if (by_keys.empty() || !counts_are_complete(connection, selection, now, total)) return fields;
    for (const auto& [keys, some] : by_keys) add_kept_under(connection, texts, keys, selection, some, facets);
    if (!selection.list->hidden || (total && total->hidden == 0)) return others;
    db::Sql hidden(" FROM " + std::string(selection.list->table) + " t" + index_hint(selection, Rows::hidden) + " WHERE ");
    hidden.add(conditions(selection, Rows::hidden, now));
    add_groups(connection.query(select_groups(kept, hidden)), kept, facets, -1);
    return others;
}

Total add_counted(db::Connection& connection, const Selection& selection, const Fields& fields, core::Time now,
                  std::chrono::milliseconds limit, Facets& facets) try {
    const auto sql = select_groups(fields, of_table(selection, Rows::counted, now));
    Total total{add_groups(connection.query_within(limit, sql.text, sql.values), fields, facets)};
    if (const auto* hidden = selection.list->hidden)
        total.valid_until = connection.query(db::Sql("SELECT ").add(hidden->next, {now})).at(0).opt_time(0);
    return total;
} catch (const db::Error& error) {
    if (error.is_timeout()) throw SearchUnavailable(error.what());
    throw;
}

// The texts of a column that are compared alike, as one value.
struct Value {
    std::string text;
    std::int64_t count = 0, of_text = 0;
};

std::vector<Value> values_of(const counts::Facet& field, const std::map<std::string, std::int64_t>& counts) {
    std::map<std::string, Value> by_key;
    for (const auto& [text, count] : counts) {
        if (count == 0) continue;
        auto& value = by_key[field.compared(text)];
        value.count += count;
        if (count > value.of_text) value.text = text, value.of_text = count;
    }
    std::vector<Value> values;
    for (auto& [key, value] : by_key) values.push_back(std::move(value));
    std::sort(values.begin(), values.end(),
              [](const auto& a, const auto& b) { return a.count != b.count ? a.count > b.count : a.text < b.text; });
    if (values.size() > most_shown) values.resize(most_shown);
    return values;
}

}  // namespace

Fields read_fields(const List& list, const http::Query& query) {
    const auto& facets = list.counts.facets;
    Fields fields;
    for (auto rest : query.filters("fields"))
        for (;;) {
            const auto name = rest.substr(0, rest.find(','));
            const auto found = std::find_if(facets.begin(), facets.end(), [&](const auto& each) { return each.name == name; });
            if (found == facets.end()) throw http::invalid_query("fields", "must name facets of this list");
            if (std::find(fields.begin(), fields.end(), &*found) != fields.end())
                throw http::invalid_query("fields", "must name each facet once");
            fields.push_back(&*found);
            if (name.size() == rest.size()) break;
            rest.remove_prefix(name.size() + 1);
        }
    if (fields.empty()) throw http::invalid_query("fields", "is required");
    return fields;
}

bool are_kept(const Selection& selection, const Fields& fields) {
    return std::all_of(fields.begin(), fields.end(), [&](const auto* field) { return kept_keys(selection, *field).has_value(); });
}

Facets facets_of(db::Connection& connection, counts::Texts& texts, const Selection& selection, const Fields& fields,
                 core::Time now, std::chrono::milliseconds limit) {
    // Counts, rows and total are as of one moment: a row that leaves the counts between two statements would be taken off twice.
    db::Transaction snapshot(connection, db::Reads::as_of_the_first);
    Facets facets{std::vector<std::map<std::string, std::int64_t>>(fields.size()), {}};
    std::optional<Total> total;
    const auto others = add_kept(connection, texts, selection, fields, now, facets, total);
    if (std::all_of(others.begin(), others.end(), [](const auto* field) { return !field; })) {
        facets.total = total ? *total : total_of(connection, selection, now);
    } else {
        require_derived(connection, selection);
        facets.total = add_counted(connection, selection, others, now, limit, facets);
    }
    snapshot.commit();
    return facets;
}

db::Sql select_groups(const Fields& fields, const db::Sql& from) {
    std::string columns;
    for (const auto* field : fields)
        if (field) columns.append(columns.empty() ? "t." : ", t.").append(field->column);
    db::Sql sql("SELECT COUNT(*), " + columns);
    return sql.add(from).add(" GROUP BY " + columns);
}

std::int64_t add_groups(const db::Rows& groups, const Fields& fields, Facets& facets, std::int64_t sign) {
    std::int64_t rows = 0;
    for (const auto& group : groups) {
        const auto count = group.integer(0);
        rows += count;
        std::size_t column = 0;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (!fields[i]) continue;
            const auto at = ++column;
            if (group.is_null(at)) continue;
            for (const auto& each : fields[i]->read(group.text(at))) facets.counts[i][each] += sign * count;
        }
    }
    return rows;
}

std::string to_json(const Fields& fields, const Facets& facets) {
    json::Writer writer;
    writer.begin_object().name("data").begin_object().name("facets").begin_object();
    for (std::size_t i = 0; i < fields.size(); ++i) {
        writer.name(fields[i]->name).begin_array();
        for (const auto& value : values_of(*fields[i], facets.counts.at(i)))
            writer.begin_object().member("value", value.text).member("count", value.count).end_object();
        writer.end_array();
    }
    writer.end_object().member("total", facets.total.rows).end_object().end_object();
    return writer.take();
}

}  // namespace tradepost::lists
