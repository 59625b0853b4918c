// A migrated database with users, for the tests of accounts, tokens and sign-in.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>

#include "core/clock.h"
#include "repo/memberships.h"
#include "repo/sessions.h"
#include "repo/tokens.h"
#include "repo/users.h"
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
    // One for all tests: to make one takes as long as all of them.
    static TestDatabase& database() {
        static TestDatabase shared;
        static const bool migrated = (shared.migrate(), true);
        (void)migrated;
        return shared;
    }

    AuthFixture() { database().clear(); }

    static core::Time start() { return *core::parse_rfc3339("2026-03-01T12:00:00.123Z"); }

    domain::User add_user(const std::string& email, const std::optional<std::string>& password_hash = {}) {
        domain::User user{core::Uuid::v7(clock.now()), email, "Anna Smith", password_hash, {}, clock.now(), clock.now()};
        users.insert(user);
        return user;
    }
    std::string mint(const domain::User& user) { return tokens.mint(user.id, {}, clock).value().plain; }
    bool works(const std::string& plain) { return tokens.find_active(repo::token_hash(plain), clock.now()).has_value(); }

    core::ManualClock clock{start()};
    db::Connection connection{database().config()};
    db::Connection other{database().config()};
    repo::Users users{connection};
    repo::Tokens tokens{connection};
    repo::Sessions sessions{connection};
    repo::Memberships memberships{connection};
};

}  // namespace tradepost::test
