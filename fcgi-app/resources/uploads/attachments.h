// Attachments: the number of references to each upload. Uploads without any are deleted after a day.
#pragma once
#include <map>
#include <span>
#include <string>

#include "db/connection.h"
#include "files/intake.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

// A READY upload.
struct Attachable {
    std::string content_hash, content_type, filename;
};

// For use inside a transaction. Borrows the connection.
class Attachments {
public:
    explicit Attachments(db::Connection& connection) : connection_(connection) {}

    // Locks these uploads until the transaction ends, in the order of their ids: pass all that will be attached and detached. Returns
    // those that may be attached: READY ones of this organisation, of any type.
    std::map<core::Uuid, Attachable> lock(const core::Uuid& organisation_id, std::span<const core::Uuid> ids);

    // Those of these uploads that may be attached now, without a lock.
    std::map<core::Uuid, Attachable> usable(const core::Uuid& organisation_id, std::span<const core::Uuid> ids) {
        return find(organisation_id, ids, "");
    }

    // One more, or one fewer, reference to each. No id twice. An upload that loses its last reference is deleted a day after `now`.
    void attach(std::span<const core::Uuid> ids);
    void detach(std::span<const core::Uuid> ids, core::Time now);

private:
    std::map<core::Uuid, Attachable> find(const core::Uuid& organisation_id, std::span<const core::Uuid> ids,
                                          const std::string& lock);

    db::Connection& connection_;
};

// What happens when an upload becomes READY.

// Inside the transaction that writes the row. The files of the upload get their names before it is committed, and after the commit once more
// (files::Store), also when its outcome is not known. `prepared` and `store` must outlive the commit. Throws as files::throw_api_error().
void publish(files::Store& store, db::Connection& connection, const std::string& content_type, const files::Prepared& prepared);

// Inside that transaction: tells the organisation's webhooks.
void announce_ready(db::Connection& connection, const Upload& upload, core::Time now);

}  // namespace tradepost::uploads
