// Attachments: the number of references to each upload. Uploads without any are deleted after a day.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>

#include "db/connection.h"

namespace tradepost::uploads {

struct AttachedImage {
    std::string url;
    std::optional<std::string> thumbnail_url;
};

// For use inside a transaction. Borrows the connection.
class Attachments {
public:
    explicit Attachments(db::Connection& connection) : connection_(connection) {}

    // Locks these uploads until the transaction ends, in the order of their ids: pass all that will be attached and detached. Returns
    // those that may be attached: READY images of this organisation.
    std::map<core::Uuid, AttachedImage> lock(const core::Uuid& organisation_id, std::span<const core::Uuid> ids);

    // One more, or one fewer, reference to each. No id twice. An upload that loses its last reference is deleted a day after `now`.
    void attach(std::span<const core::Uuid> ids);
    void detach(std::span<const core::Uuid> ids, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::uploads
