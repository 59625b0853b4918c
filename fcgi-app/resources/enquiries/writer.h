// Writing enquiries.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "resources/enquiries/enquiry.h"
#include "writes/transaction.h"

namespace tradepost::enquiries {

// What an enquiry is about, as a new one names it.
enum class EnquiryTarget { stock, job, organisation };

class EnquiryWriter {
public:
    explicit EnquiryWriter(writes::WriteTransaction& transaction)
        : transaction_(transaction), connection_(transaction.connection()) {}

    struct Found {
        core::Uuid organisation_id;                   // the recipient
        std::optional<core::Time> expires_at;         // of a job
        std::optional<core::Time> polled_until;       // by the recipient or the sender: see lists::after_polls()
        std::optional<std::string> title, reference;  // of an item or a job
    };
    // The target and its organisation, both published, locked shared until the transaction ends together with the sender's row. A poll
    // (lists/horizon.h) waits for those locks: so take the enquiry's times after this. Empty when the target is not there or not published.
    // A test organisation is never published; its members find it and what it would publish. With `test_only` the sender finds nothing else.
    std::optional<Found> find_target(const core::Uuid& sender_id, EnquiryTarget kind, const core::Uuid& id,
                                     bool test_only = false);

    struct Kept {
        Enquiry enquiry;
        std::optional<core::Time> polled_until;  // by the sender
    };
    // The enquiry, locked. Its organisation must be locked before.
    std::optional<Kept> find(const core::Uuid& id);

    void insert(const Enquiry& enquiry);

    // What the recipient may change, and updatedAt. `row` is find()'s.
    void update(const Enquiry& enquiry, const Enquiry& row);

    // The sender is deleted. `row` is find()'s.
    void forget_sender(const Enquiry& row, core::Time updated_at);

    // `row` is find()'s.
    void remove(const Enquiry& row);

private:
    void record(const Enquiry& enquiry, changes::Kind kind);
    void change_count(const Enquiry& enquiry, std::int64_t n);

    writes::WriteTransaction& transaction_;
    db::Connection& connection_;
};

// Writes the words of these enquiries again. They stay locked until the transaction ends.
void write_words_again(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids);

}  // namespace tradepost::enquiries
