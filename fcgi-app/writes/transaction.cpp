#include "writes/transaction.h"

#include "versions/collection_versions.h"

namespace tradepost::writes {

void WriteTransaction::flush() {
    for (auto& [list, changes] : counts_) changes.write(connection_);
    for (const auto& collection : changed_) versions::touch(connection_, collection);
}

}  // namespace tradepost::writes
