#include "lists/digest.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/crypto.h"
#include "core/present.h"
#include "http/error.h"
#include "json/writer.h"
#include "lists/search_engine.h"
#include "lists/source.h"
#include "lists/totals.h"

namespace tradepost::lists {
namespace {

// An item as the database writes it into one text with all others: its id and "2026-03-01 12:00:00.000".
constexpr std::size_t id_size = 16, time_size = 23, item_size = id_size + time_size;
// The same as the digest has it: "0195f0a0-0000-7000-8000-000000009001 2026-03-01T12:00:00.000Z\n".
constexpr std::size_t line_size = 36 + 1 + time_size + 1 + 1;
constexpr std::size_t part_count = 256;

using Members = std::vector<const char*>;  // its items
using Tree = std::array<Members, part_count>;

std::string hash(std::string_view lines) {
    return core::to_hex(core::sha256(lines));
}

std::string name_of(std::size_t part) {
    const auto byte = char(part);
    return core::to_hex({&byte, 1});
}

// Without Uuid::to_string(), which would take as long as the hash.
void append_line(std::string& lines, const char* item) {
    static constexpr char digits[] = "0123456789abcdef";
    char line[line_size], *to = line;
    for (std::size_t i = 0; i < id_size; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *to++ = '-';
        const auto byte = static_cast<unsigned char>(item[i]);
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
    }
    *to++ = ' ';
    to = std::copy_n(item + id_size, time_size, to);
    to[-int(time_size) + 10] = 'T';
    *to++ = 'Z';
    *to++ = '\n';
    lines.append(line, line_size);
}

std::string digest_of_items(Members& items) {
    std::sort(items.begin(), items.end(), [](const char* a, const char* b) { return std::memcmp(a, b, id_size) < 0; });
    std::string lines;
    lines.reserve(items.size() * line_size);
    for (const auto* item : items) append_line(lines, item);
    return hash(lines);
}

// " FROM … WHERE …" of the selected rows. The index covers a list and those of one organisation; other filters choose theirs.
db::Sql of_rows(const Selection& selection, std::string_view index, core::Time now) {
    const bool covers = std::all_of(selection.chosen.begin(), selection.chosen.end(),
                                    [](const auto& each) { return each.filter->column == "organisation_id"; });
    db::Sql sql(" FROM " + std::string(selection.list->table) + " t" +
                (covers ? " FORCE INDEX (" + std::string(index) + ")" : index_hint(selection)) + " WHERE ");
    return sql.add(conditions(selection, Rows::shown, now));
}

// The items as one text for each of so many slices of the parts: a row for each item would take several times as long. Empty when the
// server's limits of a text cut one off.
std::optional<std::vector<std::string>> read_items(db::Connection& connection, const db::Sql& rows, std::size_t slices,
                                                   std::chrono::milliseconds limit) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < slices; ++i) {
        const char first = char(i * part_count / slices), last = char((i + 1) * part_count / slices - 1);
        db::Sql sql("SELECT COUNT(*), GROUP_CONCAT(t.id, t.updated_at SEPARATOR '')");
        sql.add(rows);
        if (slices > 1) sql.add(" AND RIGHT(t.id, 1) BETWEEN ? AND ?", {db::Binary{{&first, 1}}, db::Binary{{&last, 1}}});
        const auto found = connection.query_within(limit, sql.text, sql.values);
        auto text = found.at(0).opt_text(1).value_or("");
        if (text.size() != std::size_t(found[0].integer(0)) * item_size) return {};
        texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<std::string> read_items(db::Connection& connection, const db::Sql& rows, std::chrono::milliseconds limit) {
    for (const std::size_t slices : {1, 16, 256})
        if (auto texts = read_items(connection, rows, slices, limit)) return std::move(*texts);
    throw std::runtime_error("the items of a digest do not fit into max_allowed_packet");
}

Digest whole(const std::vector<std::string>& texts) {
    Tree tree;
    Digest digest;
    for (const auto& text : texts) {
        digest.total.rows += std::int64_t(text.size() / item_size);
        for (std::size_t at = 0; at < text.size(); at += item_size)
            tree[static_cast<unsigned char>(text[at + id_size - 1])].push_back(text.data() + at);
    }
    json::Writer list;
    std::string lines;
    list.begin_array();
    for (std::size_t i = 0; i < part_count; ++i) {
        if (tree[i].empty()) continue;
        const auto name = name_of(i), of_part = digest_of_items(tree[i]);
        lines.append(name).append(" ").append(of_part).append("\n");
        list.begin_object()
            .member("part", name)
            .member("count", std::int64_t(tree[i].size()))
            .member("digest", of_part)
            .end_object();
    }
    list.end_array();
    json::Writer writer;
    writer.begin_object().name("data").begin_object().member("count", digest.total.rows).member("digest", hash(lines));
    writer.name("parts").raw(list.text()).end_object().end_object();
    digest.json = writer.take();
    return digest;
}

// The references are no part of the index, so they are looked up for the items of the part alone.
std::map<core::Uuid, std::optional<std::string>> references(db::Connection& connection, std::string_view table,
                                                            const db::Rows& items) {
    std::map<core::Uuid, std::optional<std::string>> found;
    constexpr std::size_t at_once = 1000;
    for (std::size_t i = 0; i < items.size(); i += at_once) {
        std::vector<db::Value> ids;
        for (std::size_t j = i; j < std::min(items.size(), i + at_once); ++j) ids.emplace_back(items[j].uuid(0));
        for (const auto& row : connection.query("SELECT id, reference FROM " + std::string(table) +
                                                    " FORCE INDEX (PRIMARY) WHERE id IN (" + db::placeholders(ids.size()) + ")",
                                                ids))
            found[row.uuid(0)] = row.opt_text(1);
    }
    return found;
}

Digest of_part(db::Connection& connection, std::string_view table, const db::Rows& items, unsigned char part) {
    const auto known_as = references(connection, table, items);
    std::string lines;
    json::Writer list;
    list.begin_array();
    for (const auto& item : items) {
        const auto id = item.uuid(0);
        const auto version = core::to_rfc3339(item.time(1));
        lines.append(id.to_string()).append(" ").append(version).append("\n");
        list.begin_object().member("id", id).member("reference", known_as.at(id)).member("updatedAt", version).end_object();
    }
    list.end_array();
    json::Writer writer;
    writer.begin_object().name("data").begin_object().member("part", name_of(part));
    writer.member("count", std::int64_t(items.size())).member("digest", hash(lines)).name("entries").raw(list.text());
    writer.end_object().end_object();
    return {{std::int64_t(items.size())}, writer.take()};
}

}  // namespace

Part read_part(const Selection& selection, const http::Query& query) {
    if (selection.search) throw http::invalid_query("q", "is not for digests");
    if (selection.updated_since) throw http::invalid_query("updatedSince", "is not for digests");
    const auto text = query.single("part");
    if (!text) return {};
    const auto bytes = core::from_hex(*text);
    if (!bytes || bytes->size() != 1 || *text != core::to_hex(*bytes))
        throw http::invalid_query("part", "must be two lower-case hexadecimal digits");
    return static_cast<unsigned char>(bytes->at(0));
}

Digest digest_of(db::Connection& connection, const Selection& selection, std::string_view index, Part part, core::Time now,
                 std::chrono::milliseconds limit) try {
    if (selection.is_empty()) return part ? of_part(connection, selection.list->table, {}, *part) : whole({});
    // All statements see one moment.
    db::Transaction snapshot(connection, db::Reads::as_of_the_first);
    require_derived(connection, selection);
    auto rows = of_rows(selection, index, now);
    Digest digest;
    if (part) {
        const char byte = char(*part);
        db::Sql sql("SELECT t.id, t.updated_at");
        sql.add(rows).add(" AND RIGHT(t.id, 1) = ?", {db::Binary{{&byte, 1}}});
        auto items = connection.query_within(limit, sql.text, sql.values);
        // MariaDB would look up every row of the index for ORDER BY.
        std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.uuid(0) < b.uuid(0); });
        digest = of_part(connection, selection.list->table, items, *part);
    } else {
        digest = whole(read_items(connection, rows, limit));
    }
    if (const auto* hidden = selection.list->hidden)
        digest.total.valid_until = connection.query(db::Sql("SELECT ").add(hidden->next, {now})).at(0).opt_time(0);
    snapshot.commit();
    return digest;
} catch (const db::Error& error) {
    if (error.is_timeout()) throw SearchUnavailable(error.what());
    throw;
}

}  // namespace tradepost::lists
