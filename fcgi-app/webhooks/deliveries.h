// The log of a webhook's deliveries: its messages in the outbox.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "webhooks/webhook.h"

namespace tradepost::webhooks {

// So many of a webhook are kept that arrived or were given up.
inline constexpr int deliveries_kept = 30;

struct Delivery {
    core::Uuid id;  // what receivers get as webhook-id
    std::string type, state;
    std::string body;
    core::Time created_at;
    std::uint32_t attempts;
    std::optional<core::Time> attempted_at;
    std::optional<std::int64_t> status;  // of HTTP, of the last attempt
    std::optional<std::string> result;   // our own words
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Deliveries {
public:
    Deliveries(db::Connection& connection, const core::Uuid& webhook_id)
        : connection_(connection), target_(target_of(webhook_id)) {}

    // Those that were tried last, up to deliveries_kept, the last one first.
    std::vector<Delivery> latest();
    std::int64_t waiting();
    std::optional<Delivery> find(const core::Uuid& id);

    // Sends one that arrived or was given up once more, behind what waits; the first of those is tried now.
    void retry(const core::Uuid& id);

    // Removes what is beyond deliveries_kept.
    void trim();

private:
    db::Connection& connection_;
    std::string target_;
};

}  // namespace tradepost::webhooks
