// What refers to uploads, counted, so that those that nothing refers to can be collected.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>

#include "db/connection.h"

namespace tradepost::repo {

struct AttachedImage {
    std::string url;
    std::optional<std::string> thumbnail_url;
};

// For use inside a transaction. Borrows the connection.
class Attachments {
public:
    explicit Attachments(db::Connection& connection) : connection_(connection) {}

    // Locks these uploads until the transaction ends, always in the order of their ids: pass all that are about to be attached
    // and detached. Returns those that may be attached: READY images of this organisation.
    std::map<core::Uuid, AttachedImage> lock(const core::Uuid& organisation_id, std::span<const core::Uuid> ids);

    // One reference more, or less, to each. No id twice. An upload's last one starts the time after which it is collected.
    void attach(std::span<const core::Uuid> ids);
    void detach(std::span<const core::Uuid> ids, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
