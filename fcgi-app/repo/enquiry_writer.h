// Writing enquiries.
#pragma once
#include <optional>
#include <string>

#include "db/connection.h"
#include "domain/enquiry.h"
#include "repo/enquiry_counts.h"

namespace tradepost::repo {

// What an enquiry is about, as a new one names it.
enum class EnquiryTarget { stock, job, organisation };

// Borrows the connection. One object serves one transaction.
class EnquiryWriter {
public:
    explicit EnquiryWriter(db::Connection& connection) : connection_(connection) {}

    struct Found {
        core::Uuid organisation_id;            // the recipient
        std::optional<core::Time> expires_at;  // of a job
    };
    // The target and its organisation, both published, locked shared until the transaction ends together with the sender's row. A poll
    // (polling.h) waits for those locks: so take the enquiry's times after this. Empty when the target is not there or not published.
    std::optional<Found> find_target(const core::Uuid& sender_id, EnquiryTarget kind, const core::Uuid& id);

    // The enquiry, locked.
    std::optional<domain::Enquiry> find(const core::Uuid& id);

    void insert(const domain::Enquiry& enquiry);

    // What the recipient may change, and updatedAt. `row` is find()'s.
    void update(const domain::Enquiry& enquiry, const domain::Enquiry& row);

    // `row` is find()'s.
    void remove(const domain::Enquiry& row);

    // Writes the counts. Call it last: their rows stay locked until the commit.
    void finish() { counts_.write(connection_); }

private:
    db::Connection& connection_;
    CountChanges counts_{EnquiryTable::name};
};

}  // namespace tradepost::repo
