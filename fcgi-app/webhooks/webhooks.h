// Webhooks and their secrets in the database.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "webhooks/webhook.h"

namespace tradepost::webhooks {

// After a rotation the old secret signs beside the new one for so long: receivers have time to learn the new one.
inline constexpr std::chrono::hours old_secrets_sign{24};
// Who rotates more often loses the oldest one earlier, as each of them makes a signature.
inline constexpr std::size_t most_secrets = 3;

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Webhooks {
public:
    explicit Webhooks(db::Connection& connection) : connection_(connection) {}

    std::vector<Webhook> of_organisation(const core::Uuid& organisation_id);  // the oldest first
    std::optional<Webhook> find(const core::Uuid& organisation_id, const core::Uuid& id);

    // The active webhooks that want to know of the event, by organisation.
    std::map<core::Uuid, std::vector<core::Uuid>> listeners(std::string_view event, const std::vector<core::Uuid>& organisations);

    // What the next message is signed with, the newest secret first, and where it goes. Empty when the webhook is gone.
    struct Destination {
        std::string url;
        bool active, failing;
        std::vector<std::string> secrets;
    };
    std::optional<Destination> destination(const core::Uuid& id);

    // The times of failures are those of the database's clock.
    void note_failure(const core::Uuid& id);  // the first one counts
    void note_success(const core::Uuid& id);

    // The other functions are for use inside a transaction. What is locked stays so until it ends.

    std::optional<Webhook> lock(const core::Uuid& organisation_id, const core::Uuid& id);

    // With its first secret.
    void insert(const Webhook& webhook, std::string_view secret);

    // Messages that wait are dropped when it is no longer active.
    void update(const Webhook& webhook);

    // With its secrets, and its messages of every state.
    void remove(const core::Uuid& id);

    // The others end after old_secrets_sign, or at once beyond most_secrets.
    void rotate(const core::Uuid& id, std::string_view secret, core::Time now);

    // Switches it off as the service does, and drops what waits. Empty when it was off or is gone.
    std::optional<Webhook> switch_off(const core::Uuid& id, std::string_view reason);

    // Whether it failed for so long without a success.
    bool has_failed_for(const core::Uuid& id, std::chrono::seconds time);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::webhooks
