#include "writes/deletions.h"

#include "db/statement.h"
#include "writes/history.h"

namespace tradepost::writes {

void record_deletion(WriteTransaction& transaction, const Deletion& deletion) {
    std::optional<db::Binary> reference;
    if (deletion.reference) reference = db::Binary{*deletion.reference};
    transaction.connection().execute(
        "INSERT INTO deletions (id, collection, row_id, organisation_id, reference, deleted_at) VALUES (?, ?, ?, ?, ?, ?)",
        {core::Uuid::v7(deletion.deleted_at), deletion.collection, deletion.id, deletion.organisation_id, reference,
         deletion.deleted_at});
    forget_history(transaction.connection(), deletion.collection, deletion.id);
}

}  // namespace tradepost::writes
