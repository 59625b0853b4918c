#include "search/engines/documents.h"

#include "core/present.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "db/statement.h"

namespace tradepost::search {
namespace {

constexpr std::size_t statement_bytes = 2 << 20;  // max_packet_size is 8 MiB

}  // namespace

Numbers numbers_of(db::Connection& connection, std::string_view table, std::span<const core::Uuid> ids) {
    Numbers numbers;
    if (ids.empty()) return numbers;
    db::Sql sql("SELECT row_id, number FROM search_documents WHERE list = ? AND ", {table});
    for (const auto& row : connection.query(sql.add_in("row_id", ids)))
        numbers.emplace(row.uuid(0), SphinxIndex::note_number - row.unsigned_integer(1));
    return numbers;
}

Numbers make_numbers(db::Connection& connection, std::string_view table, std::span<const core::Uuid> ids) {
    auto numbers = numbers_of(connection, table, ids);
    if (numbers.size() == ids.size()) return numbers;
    db::BulkInsert rows(connection, "search_documents (list, row_id)", "list = VALUES(list)");
    for (const auto& id : ids)
        if (!numbers.contains(id)) rows.add(db::literal(table) + ", " + db::literal(id));
    rows.flush();
    return numbers_of(connection, table, ids);
}

std::vector<std::string> replacements(db::Connection& connection, const SphinxIndex& described, const std::string& index,
                                      std::span<const core::Uuid> ids, const Numbers& numbers, std::vector<core::Uuid>& found) {
    std::vector<std::string> statements;
    if (ids.empty()) return statements;
    const auto begin = "REPLACE INTO " + index + " (" + described.columns() + ") VALUES ";
    db::Sql where;
    where.add_in("t.id", ids);
    for (const auto& row : connection.query(described.select(where.text), where.values)) {
        found.push_back(row.uuid(SphinxIndex::id_column));
        const auto document = described.document(row, numbers.at(found.back()));
        if (statements.empty() || statements.back().size() + document.size() > statement_bytes)
            statements.push_back(begin + document);
        else
            statements.back().append(", ").append(document);
    }
    return statements;
}

std::string deletion(const std::string& index, const Numbers& numbers) {
    std::string sql;
    for (const auto& [id, number] : numbers) sql.append(sql.empty() ? "" : ", ").append(std::to_string(number));
    return "DELETE FROM " + index + " WHERE id IN (" + sql + ")";
}

}  // namespace tradepost::search
