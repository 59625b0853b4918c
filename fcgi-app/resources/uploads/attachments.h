// Attachments: the number of references to each upload. Uploads without any are deleted after a day.
#pragma once
#include <map>
#include <span>
#include <string>

#include "db/connection.h"

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

}  // namespace tradepost::uploads
