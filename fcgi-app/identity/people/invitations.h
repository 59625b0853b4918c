// Invitations of people to organisations, by letters with a link.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "identity/organisations/organisation.h"

namespace tradepost::identity {

inline constexpr std::chrono::days invitation_lifetime{7};
inline constexpr int max_open_invitations = 100;  // of an organisation

struct Invitation {
    core::Uuid id, organisation_id;
    std::string email;
    Role role;
    core::Time created_at, expires_at;
};

// What its letter says.
struct InvitationLetter {
    std::string token;  // 64 lower-case hexadecimal characters, which are stored nowhere
    std::string email, organisation, inviter;
    core::Time expires_at;
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Invitations {
public:
    explicit Invitations(db::Connection& connection) : connection_(connection) {}

    // Those that have not expired, the newest first.
    std::vector<Invitation> of_organisation(const core::Uuid& organisation_id, core::Time now);

    // Stores it, or renews the one of this address, whose id then is that of what is returned. Empty when the organisation has
    // max_open_invitations others. Inside a transaction that holds the organisation.
    std::optional<Invitation> put(const Invitation& invitation, const core::Uuid& invited_by);

    // False when the organisation has none with this id.
    bool remove(const core::Uuid& organisation_id, const core::Uuid& id);

    // Removes those of this address, of all organisations and expired ones too. Reads all invitations in pages, without locks; returns how many it
    // removed.
    std::uint64_t remove_of_address(std::string_view email);

    // A new link in place of the one of an earlier letter. Empty when the invitation is gone or has expired, or its sender may not invite any
    // more.
    std::optional<InvitationLetter> write_letter(const core::Uuid& id, core::Time now);

    // Empty when the token is unknown or expired, or the sender may not invite any more (Issued::may_issue()). take() locks and removes the
    // invitation: inside a transaction.
    std::optional<Invitation> find(std::string_view token, core::Time now);
    std::optional<Invitation> take(std::string_view token, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
