#include "resource/store.h"

namespace tradepost::resource {

void refuse_duplicate(const db::Error& error, std::string_view table, std::string_view reference_index) {
    // 1048: db::update_by_id() met a row with another id, and a slug stays as it is in all writes that let a reference change.
    const bool other_row = error.code == 1048;
    if (!other_row && !error.is_duplicate_key()) throw;  // as what it is, which may be Unavailable
    const std::string_view text = error.what();
    // "Duplicate entry '…' for key 'jobs_reference'", with MySQL 'jobs.jobs_reference'.
    const auto key = text.find(" for key ");
    if (!reference_index.empty() &&
        (other_row || (key != std::string_view::npos && text.find(reference_index, key) != std::string_view::npos)))
        throw ReferenceTaken(1062, "a reference is taken in " + std::string(table));
    throw db::Error(1062, "a slug or an id is taken in " + std::string(table));
}

void read_publishers(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, Publisher>& known) {
    if (ids.empty()) return;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    for (const auto& row : connection.query(std::string("SELECT ") + identity::organisation_columns +
                                                ", o.published FROM organisations o FORCE INDEX (PRIMARY) WHERE o.id IN (" +
                                                db::placeholders(ids.size()) + ") LOCK IN SHARE MODE",
                                            values))
        known[row.uuid(0)] = {identity::read_organisation(row, 0), row.boolean(identity::organisation_width)};
    for (const auto& id : ids)
        if (!known.contains(id)) throw std::runtime_error("there is no organisation " + id.to_string());
}

}  // namespace tradepost::resource
