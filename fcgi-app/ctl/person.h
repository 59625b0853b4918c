// A person, by an email address: all that the service holds about them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "ctl/output.h"
#include "db/connection.h"
#include "identity/people/users.h"
#include "identity/tokens/issued.h"

namespace tradepost::ctl {

struct Person {
    std::string email, email_key;
    std::optional<identity::User> user;  // none: only enquiries and letters name the address
    std::vector<core::Uuid> enquiries;   // that the user sent, or that name the address
};

// Throws WrongUsage for what is no email address.
Person find_person(db::Connection& connection, const std::string& email);

// Everything but secrets: no password, no token, no key of a second factor.
Json person_document(db::Connection& connection, const Person& person, core::Time now);

struct Erased {
    bool user = false;
    std::uint64_t enquiries = 0, tokens = 0, sessions = 0, memberships = 0, notification_tokens = 0, password_resets = 0,
                  second_factors = 0, email_changes = 0, invitations = 0, messages = 0, kept_answers = 0, audit_events = 0;
    std::vector<identity::IssuedToken> integration_tokens;  // that the person created and that still work
    bool anything() const { return user || enquiries + email_changes + invitations + messages + kept_answers + audit_events > 0; }
};

// Removes all of it, and what the audit log tells of the person loses the name. It can be repeated, also after it was interrupted: the user
// can do nothing any more from the first step on, and goes last. Throws Failure when an organisation would be left without an ADMIN, unless
// the policy permits it.
struct ErasePolicy {
    bool leave_without_admin = false;
    identity::IntegrationTokens integration_tokens = identity::IntegrationTokens::keep;
};
Erased erase(db::Connection& connection, const core::Clock& clock, const std::string& email, const ErasePolicy& policy = {});

}  // namespace tradepost::ctl
