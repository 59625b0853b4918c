#include "deliver/background.h"

#include "core/clock.h"
#include "outbox/queue.h"
#include "resources/accounts/background.h"

namespace tradepost::deliver {
namespace {

// Then the targets of others have their turn.
constexpr std::chrono::seconds longest{5};

using Step = std::optional<std::string>(db::Connection&, const core::Clock&, const std::string&);

// What is left is a message of its own, so that it begins where this one ended. A process that dies in between does some of it again.
outbox::Outcome in_steps(Sending& sending, const outbox::Delivery& delivery, Step* step) {
    const core::SystemClock clock;
    const auto end = std::chrono::steady_clock::now() + longest;
    auto left = step(sending.connection, clock, delivery.payload);
    while (left && !sending.stopped && std::chrono::steady_clock::now() < end) left = step(sending.connection, clock, *left);
    if (!left) return outbox::Outcome::delivered("done");
    db::in_transaction(sending.connection, [&] {
        outbox::send(
            sending.connection, clock.now(),
            {.kind = delivery.kind, .target = delivery.target, .payload = *left, .organisation_id = delivery.organisation_id});
    });
    return outbox::Outcome::delivered("a part is done; a further message does the rest");
}

}  // namespace

outbox::Outcome follow_renaming(Sending& sending, const outbox::Delivery& delivery) {
    // Whoever renames an organisation again and again has it followed once.
    if (outbox::is_repeated(sending.connection, delivery)) return outbox::Outcome::delivered("a later message does the same");
    return in_steps(sending, delivery, accounts::renaming_step);
}

outbox::Outcome remove_user(Sending& sending, const outbox::Delivery& delivery) {
    return in_steps(sending, delivery, accounts::removal_step);
}

}  // namespace tradepost::deliver
