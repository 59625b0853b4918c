// What an organisation's publication does to its jobs, events and posts.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "db/sql.h"
#include "lists/counting.h"
#include "writes/transaction.h"

namespace tradepost::writes {

// Brings `listed` and the counts of what these organisations publish up to date. `published`: whether each of them is, which the transaction
// holds locked. Rows that are right already are only read.
template <class Table>
void relist(WriteTransaction& transaction, const std::map<core::Uuid, bool>& published) {
    std::vector<db::Value> values;
    std::string shown;
    for (const auto& [id, is_published] : published) values.emplace_back(id);
    for (const auto& [id, is_published] : published) {
        if (!is_published) continue;
        shown += shown.empty() ? "?" : ", ?";
        values.emplace_back(id);
    }
    const auto listed = shown.empty() ? "0" : "(" + std::string(Table::public_sql) + " AND organisation_id IN (" + shown + "))";
    auto& connection = transaction.connection();
    const auto rows = connection.query("SELECT id, organisation_id, " + Table::counted().columns() + " FROM " +
                                           std::string(Table::name) + " WHERE organisation_id IN (" +
                                           db::placeholders(published.size()) + ") AND listed <> " + listed + " FOR UPDATE",
                                       values);
    // The rows that were counted and no others, whatever a condition would find by now.
    std::vector<db::Value> ids;
    const auto flip = [&] {
        if (ids.empty()) return;
        connection.execute("UPDATE " + std::string(Table::name) + " FORCE INDEX (PRIMARY) SET listed = 1 - listed WHERE id IN (" +
                               db::placeholders(ids.size()) + ")",
                           ids);
        if constexpr (requires { Table::relist_more(connection, ids); }) Table::relist_more(connection, ids);
        ids.clear();
    };
    auto& counts = transaction.counts(Table::name);
    for (const auto& row : rows) {
        auto counted = Table::counted().read(row, 2);
        Table::counted().count(counts, counted, -1);
        Table::counted().set_listed(counted, !Table::counted().is_listed(counted));
        Table::counted().count(counts, counted, +1);
        ids.emplace_back(row.uuid(0));
        transaction.record(Table::name, row.uuid(0), row.opt_uuid(1), changes::Kind::written);
        if (ids.size() == 500) flip();
    }
    flip();
}

}  // namespace tradepost::writes
