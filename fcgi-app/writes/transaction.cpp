#include "writes/transaction.h"

#include "versions/collection_versions.h"

namespace tradepost::writes {

void WriteTransaction::record(std::string_view collection, const core::Uuid& id, const std::optional<core::Uuid>& organisation_id,
                              changes::Kind kind) {
    constexpr std::size_t most_kept = 1000;  // an import has millions
    recorded_.push_back({collection, id, organisation_id, kind});
    if (recorded_.size() < most_kept) return;
    changes::record(connection_, recorded_);
    recorded_.clear();
}

void WriteTransaction::flush() {
    changes::record(connection_, recorded_);
    for (auto& [list, changes] : counts_) changes.write(connection_);
    for (const auto& collection : changed_) versions::touch(connection_, collection);
}

}  // namespace tradepost::writes
