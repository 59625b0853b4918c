// erase
#include <set>

#include "audit/pseudonym.h"
#include "audit/record.h"
#include "ctl/commands.h"
#include "ctl/issued.h"
#include "ctl/person.h"
#include "db/failure.h"
#include "db/sql.h"
#include "identity/people/invitations.h"
#include "identity/people/letter_limits.h"
#include "identity/people/members.h"
#include "outbox/stored.h"
#include "resources/enquiries/removal.h"
#include "resources/users.h"
#include "writes/idempotency.h"

namespace tradepost::ctl {
namespace {

// The organisations of the user, locked exclusively until the transaction ends.
std::vector<std::pair<core::Uuid, std::string>> lock_organisations(db::Connection& connection, const core::Uuid& user_id) {
    std::vector<std::pair<core::Uuid, std::string>> found;
    std::vector<core::Uuid> ids;
    for (const auto& row : connection.query("SELECT o.id, o.slug FROM organisations o JOIN memberships m ON m.organisation_id = "
                                            "o.id WHERE m.user_id = ? ORDER BY o.id FOR UPDATE",
                                            {user_id})) {
        found.emplace_back(row.uuid(0), row.text(1));
        ids.push_back(row.uuid(0));
    }
    db::conflict_on(connection, ids);
    return found;
}

// Refuses sign-in, sessions and tokens from now on, so that nothing is added to what is being removed.
void shut_out(db::Connection& connection, core::Time now, const identity::User& user, const ErasePolicy& policy) {
    db::in_transaction(connection, [&] {
        std::string alone;
        for (const auto& [id, slug] : lock_organisations(connection, user.id)) {
            const auto member = identity::Members(connection).lock(id, user.id);
            const bool needed =
                member && member->role == identity::Role::admin && !identity::Members(connection).has_other_admin(id, user.id);
            if (needed) alone += (alone.empty() ? "" : ", ") + slug;
        }
        if (!alone.empty() && !policy.leave_without_admin)
            throw Failure("nobody else is an ADMIN of " + alone +
                          ": make somebody one with tradepostctl org add-member, or erase with --leave-without-admin");
        identity::Issued(connection).shut_out(user.id, now, policy.integration_tokens, "to be erased");
    });
}

std::uint64_t count(db::Connection& connection, const std::string& table, const core::Uuid& user_id) {
    return connection.query("SELECT COUNT(*) FROM " + table + " WHERE user_id = ?", {user_id}).at(0).unsigned_integer(0);
}

// False when the user has sent another enquiry or written something else meanwhile.
bool remove_account(db::Connection& connection, core::Time now, const Person& person, const json::Mentions& mentions,
                    Erased& erased) {
    const auto pseudonym = core::Uuid::v7(now);
    std::optional<core::Uuid> id;
    if (person.user) id = person.user->id;
    const auto of_audit_log = audit::find_mentions(connection, id, [&](std::string_view text) { return mentions.in_text(text); });
    return db::in_transaction(connection, [&] {
        if (id) {
            connection.query("SELECT id FROM users WHERE id = ? FOR UPDATE", {*id});
            db::conflict_on(connection, std::span(&*id, 1));
            if (resources::is_referred_to(connection, *id)) return false;
            erased.tokens = count(connection, "api_tokens", *id);
            erased.memberships = count(connection, "memberships", *id);
            erased.notification_tokens = count(connection, "notification_tokens", *id);
            erased.second_factors = count(connection, "second_factors", *id);
            erased.user = connection.execute("DELETE FROM users WHERE id = ?", {*id}) == 1;  // and all that refers to it
        }
        // Those of others who asked for this address, too.
        erased.email_changes +=
            connection.execute("DELETE FROM email_changes WHERE email_key = ?", {db::Binary{person.email_key}});
        erased.audit_events = audit::make_pseudonymous(connection, id, pseudonym, of_audit_log);
        if (erased.anything()) audit::record(connection, now, {.event = audit::Event::person_erased, .user = pseudonym});
        return true;
    });
}

}  // namespace

Erased erase(db::Connection& connection, const core::Clock& clock, const std::string& email, const ErasePolicy& policy) {
    auto person = find_person(connection, email);
    Erased erased;
    if (person.user) {
        erased.sessions = count(connection, "sessions", person.user->id);
        erased.email_changes = count(connection, "email_changes", person.user->id);
        erased.password_resets = count(connection, "password_resets", person.user->id);
        shut_out(connection, clock.now(), *person.user, policy);
        erased.integration_tokens = identity::Issued(connection).tokens(person.user->id, {}, clock.now());
    }
    identity::LetterLimits(connection).forget(person.email);
    erased.invitations = identity::Invitations(connection).remove_of_address(person.email);
    for (;;) {
        std::set<core::Uuid> about(person.enquiries.begin(), person.enquiries.end());
        if (person.user) about.insert(person.user->id);
        const json::Mentions mentions(std::move(about), person.email);
        // First: without the enquiries' ids nobody would know that these are about the person.
        erased.messages += outbox::drop_about(connection, mentions);
        erased.kept_answers += writes::IdempotencyKeys::erase_about(connection, mentions);
        erased.enquiries += enquiries::remove(connection, person.enquiries);
        person.enquiries = enquiries::find_of_person(connection, {}, person.email_key);
        if (person.user)
            for (const auto& row : connection.query("SELECT id FROM enquiries WHERE from_user_id = ?", {person.user->id}))
                person.enquiries.push_back(row.uuid(0));
        // What the person did for an organisation stays without the name.
        while (person.user && person.enquiries.empty() && resources::detach_some(connection, person.user->id)) continue;
        if (person.enquiries.empty() && remove_account(connection, clock.now(), person, mentions, erased)) return erased;
    }
}

void add_erase_command(Command app, Context& context) {
    struct Options {
        std::string email;
        bool leave_without_admin = false, revoke = false;
    };
    const auto options = std::make_shared<Options>();
    const auto command = app.add(
        "erase",
        "forget a person: the user with its tokens, sessions, memberships and devices, enquiries that the user sent or that name "
        "the address, invitations, queued messages and kept answers. The audit log keeps what happened, without name, email and "
        "address");
    command.required("--email", options->email, "the person's address", "E");
    command.flag("--leave-without-admin", options->leave_without_admin,
                 "also when an organisation is left without an ADMIN by it");
    revoke_option(command, options->revoke);
    on(command, context, [&context, options] {
        const auto erased = erase(context.connection(), context.clock, options->email,
                                  {options->leave_without_admin, tokens_option(options->revoke)});
        print({{"email", options->email},
               {"user", erased.user},
               {"enquiries", erased.enquiries},
               {"tokens", erased.tokens},
               {"sessions", erased.sessions},
               {"memberships", erased.memberships},
               {"notificationTokens", erased.notification_tokens},
               {"passwordResets", erased.password_resets},
               {"secondFactors", erased.second_factors},
               {"emailChanges", erased.email_changes},
               {"invitations", erased.invitations},
               {"messages", erased.messages},
               {"keptAnswers", erased.kept_answers},
               {"auditEvents", erased.audit_events},
               {"integrationTokens", to_json(erased.integration_tokens)}});
        return 0;
    });
}

}  // namespace tradepost::ctl
