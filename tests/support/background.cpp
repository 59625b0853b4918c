#include "support/background.h"

#include <stdexcept>

#include "deliver/kinds.h"
#include "resources/accounts/background.h"

namespace tradepost::test {

void do_background_work(db::Connection& connection) {
    const core::Config config;
    const std::atomic<bool> stopped = false;
    deliver::Sending sending{config, connection, stopped};
    for (;;) {
        const auto rows = connection.query(
            "SELECT id, kind, target, payload, organisation_id, created_at FROM outbox_messages WHERE kind IN (?, ?) ORDER BY id "
            "LIMIT 1",
            {accounts::renaming_kind, accounts::removal_kind});
        if (rows.empty()) return;
        const auto& row = rows[0];
        const outbox::Delivery delivery{row.uuid(0), row.text(1), row.text(2), row.text(3), row.opt_uuid(4), row.time(5), 0, {}};
        const auto outcome = deliver::find_kind(delivery.kind)->send(sending, delivery);
        if (outcome.kind != outbox::Outcome::Kind::delivered) throw std::runtime_error(delivery.kind + ": " + outcome.result);
        connection.execute("DELETE FROM outbox_messages WHERE id = ?", {delivery.id});
    }
}

}  // namespace tradepost::test
