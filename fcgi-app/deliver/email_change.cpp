#include "deliver/email_change.h"

#include <nlohmann/json.hpp>

#include "audit/record.h"
#include "core/clock.h"
#include "core/present.h"
#include "deliver/mail.h"
#include "identity/people/email_changes.h"
#include "identity/people/users.h"
#include "json/parse.h"

namespace tradepost::deliver {
namespace {

core::Uuid told_id(const json::Json& payload, const char* name) {
    return core::present(core::Uuid::parse(payload.at(name).get<std::string>()));
}

}  // namespace

outbox::Outcome send_email_change(Sending& sending, const outbox::Delivery& delivery) {
    if (!sending.config.mail.is_configured()) return outbox::Outcome::retry("set smtp and from of [mail]");
    const auto& site = sending.config.http.base_url;
    const auto letter = identity::EmailChanges(sending.connection)
                            .write_letter(told_id(json::parse(delivery.payload), "changeId"), core::SystemClock().now());
    if (!letter) return outbox::Outcome::delivered("withdrawn, or too late");
    if (!letter->token)
        return send_letter(sending, delivery,
                           {.name = "email-taken",
                            .to = {{}, letter->new_email},
                            .values = {{"newEmail", letter->new_email},
                                       {"signIn", site + "/dashboard/sign-in"},
                                       {"forgot", site + "/dashboard/forgot"}}});
    auto outcome = send_letter(sending, delivery,
                               {.name = "email-change",
                                .to = {letter->name, letter->new_email},
                                .values = {{"name", letter->name},
                                           {"email", letter->old_email},
                                           {"newEmail", letter->new_email},
                                           {"minutes", std::to_string(identity::email_change_lifetime.count())},
                                           {"link", site + "/dashboard/#/email/" + *letter->token}}});
    if (outcome.kind == outbox::Outcome::Kind::delivered)
        audit::record(sending.connection, core::SystemClock().now(),
                      {.event = audit::Event::letter_sent, .user = letter->user_id, .detail = "email change"});
    return outcome;
}

outbox::Outcome send_email_warning(Sending& sending, const outbox::Delivery& delivery) {
    const auto told = json::parse(delivery.payload);
    const auto user = identity::Users(sending.connection).find(told_id(told, "userId"));
    if (!user) return outbox::Outcome::delivered("no such user");
    const auto email = told.at("email").get<std::string>();
    return send_letter(sending, delivery,
                       {.name = "email-warning",
                        .to = {user->name, email},
                        .values = {{"name", user->name},
                                   {"email", email},
                                   {"newEmail", told.at("newEmail").get<std::string>()},
                                   {"minutes", std::to_string(identity::email_change_lifetime.count())},
                                   {"forgot", sending.config.http.base_url + "/dashboard/forgot"}}});
}

}  // namespace tradepost::deliver
