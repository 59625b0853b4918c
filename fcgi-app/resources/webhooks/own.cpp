#include "resources/webhooks/own.h"

#include "api/write.h"
#include "db/conflict.h"
#include "http/error.h"
#include "webhooks/webhooks.h"
#include "writes/ownership.h"

namespace tradepost::webhooks {

core::Uuid administered(const api::Call& call) {
    const auto id = api::queried_organisation(call);
    if (call.caller().roles.at(id) != identity::Role::admin) throw http::forbidden();
    return id;
}

core::Uuid lock_administered(const api::Call& call, writes::WriteTransaction& transaction) {
    const auto id = api::queried_organisation(call);
    auto& connection = transaction.connection();
    const auto own = writes::Ownership(connection).of_user(call.caller().user_id, id, writes::Hold::exclusive);
    if (own.empty()) throw http::not_found();
    if (own[0].role != identity::Role::admin) throw http::forbidden();
    db::conflict_on(connection, std::span(&id, 1));
    return id;
}

Webhook lock_own(const api::Call& call, writes::WriteTransaction& transaction) {
    const auto organisation = lock_administered(call, transaction);
    auto webhook = Webhooks(transaction.connection()).lock(organisation, api::path_id(call));
    if (!webhook) throw http::not_found();
    return std::move(*webhook);
}

}  // namespace tradepost::webhooks
