// A migrated database with users, for the tests of accounts, tokens and sign-in.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>

#include "core/clock.h"
#include "identity/people/memberships.h"
#include "identity/people/users.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/tokens.h"
#include "support/database.h"

namespace tradepost::test {

// What is written to standard error while `work` runs.
template <class Work>
std::string errors_of(Work work) {
    std::FILE* const file = std::tmpfile();
    std::fflush(stderr);
    const int saved = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    work();
    dup2(saved, STDERR_FILENO);
    close(saved);
    std::string text(4096, '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

struct AuthFixture {
    static core::Time start() { return *core::parse_rfc3339("2026-03-01T12:00:00.123Z"); }

    identity::User add_user(const std::string& email, const std::optional<std::string>& password_hash = {}) {
        identity::User user{core::Uuid::v7(clock.now()), email, "Anna Smith", password_hash, {}, clock.now(), clock.now()};
        users.insert(user);
        return user;
    }
    std::string mint(const identity::User& user) { return tokens.mint(user.id, {}, clock).value().plain; }
    bool works(const std::string& plain) { return tokens.find_active(identity::token_hash(plain), clock.now()).has_value(); }

    core::ManualClock clock{start()};
    MigratedDatabase database;
    db::Connection connection{database.config()};
    db::Connection other{database.config()};
    identity::Users users{connection};
    identity::Tokens tokens{connection};
    identity::Sessions sessions{connection};
    identity::Memberships memberships{connection};
};

}  // namespace tradepost::test
