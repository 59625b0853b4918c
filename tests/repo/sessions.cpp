// The dashboard's sessions: what counts as one, how the password that began it ends it, and what happens meanwhile.
#include "identity/sessions/dashboard_sessions.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <functional>

#include "core/crypto.h"
#include "repo/auth_support.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

// Cheap, and something may happen when a password was verified.
struct Interrupted : identity::Passwords {
    Interrupted() : Passwords({.argon2_memory_kib = 64, .argon2_passes = 1}) {}
    Verdict matches(std::string_view password, std::string_view hash) const override {
        ++verified;
        const auto verdict = Passwords::matches(password, hash);
        if (meanwhile) std::exchange(meanwhile, nullptr)();
        return verdict;
    }
    mutable std::function<void()> meanwhile;
    mutable int verified = 0;
};

// What one worker has.
struct Worker {
    Worker(const core::Config::Database& config, const core::Clock& clock)
        : connection(config),
          failure_work(connection, passwords, clock),
          sign_in(users, tokens, passwords, second_factors, failure_work, clock),
          authenticator(tokens, sessions, clock),
          dashboard(sessions, users, sign_in, passwords, authenticator, clock) {}
    Interrupted passwords;
    db::Connection connection;
    identity::Users users{connection};
    identity::Tokens tokens{connection};
    identity::Sessions sessions{connection};
    identity::SecondFactors second_factors{connection};
    identity::FailureWork failure_work;
    identity::SignIn sign_in;
    identity::Authenticator authenticator;
    identity::DashboardSessions dashboard;
};

struct Fixture : test::AuthFixture {
    Worker worker{database.config(), clock};
    identity::User user = add_user("anna@example.org", worker.passwords.hash("correct horse"));

    // The session, if one begins.
    std::optional<identity::NewSession> begin(std::string_view password) {
        auto result = worker.dashboard.sign_in({user.email, password}, {"192.0.2.1", "Browser/1.0"});
        if (auto* const begun = std::get_if<identity::NewSession>(&result)) return std::move(*begun);
        return {};
    }
    identity::NewSession sign_in() { return begin("correct horse").value(); }
    bool knows(std::string_view password) {
        return worker.passwords.verify(password, stored()) == identity::Passwords::Verdict::right;
    }
    bool is_open(const std::string& plain) { return worker.authenticator.authenticate_session(plain).has_value(); }
    std::int64_t count() { return other.query("SELECT COUNT(*) FROM sessions").at(0).integer(0); }
    auto change(const identity::NewSession& begun, std::string_view current, std::string_view next, bool revoke = false) {
        return worker.dashboard.change_password(begun.principal, {current, next, revoke});
    }
    std::string stored() { return users.find(user.id)->password_hash.value(); }
};

bool is_fault(const std::variant<identity::NewSession, identity::PasswordFault>& result, identity::PasswordFault fault) {
    return std::holds_alternative<identity::PasswordFault>(result) && std::get<identity::PasswordFault>(result) == fault;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(dashboard_sessions, Fixture)

BOOST_AUTO_TEST_CASE(a_session_tells_who_it_belongs_to_in_one_round_trip) {
    const auto begun = sign_in();
    BOOST_TEST(begun.plain.size() == 64u);
    const auto questions = [&] { return worker.connection.query("SHOW SESSION STATUS LIKE 'Questions'").at(0).integer(1); };
    const auto before = questions();
    const auto principal = worker.authenticator.authenticate_session(begun.plain);
    BOOST_TEST(questions() - before == 2);
    BOOST_REQUIRE((principal && principal->session && !principal->token));
    BOOST_TEST(
        (principal->user_id == user.id && principal->email == user.email && principal->user_created_at == user.created_at));
    BOOST_TEST(
        (principal->session->csrf_token == begun.principal.session->csrf_token && principal->session->created_at == clock.now()));
    BOOST_TEST(principal->session->csrf_token.size() == 32u);
    BOOST_TEST((principal->session->expires_at() == clock.now() + 12h));
    BOOST_TEST(other.query("SELECT hash FROM sessions").at(0).text(0) == core::sha256(begun.plain));
}

BOOST_AUTO_TEST_CASE(no_two_sessions_share_anything) {
    const auto first = sign_in(), second = sign_in();
    BOOST_TEST(first.plain != second.plain);
    BOOST_TEST((first.principal.session->csrf_token != second.principal.session->csrf_token));
    worker.dashboard.sign_out(first.plain);
    BOOST_TEST(!is_open(first.plain));
    BOOST_TEST(is_open(second.plain));
}

BOOST_AUTO_TEST_CASE(a_session_ends_when_it_was_idle) {
    const auto begun = sign_in();
    clock.advance(12h - 1ms);
    BOOST_TEST(is_open(begun.plain));
    clock.advance(1ms);
    BOOST_TEST(!is_open(begun.plain));
    BOOST_TEST(is_fault(change(begun, "correct horse", "another"), identity::PasswordFault::session_ended));
}

BOOST_AUTO_TEST_CASE(a_session_ends_seven_days_after_the_sign_in_however_much_it_is_used) {
    const auto begun = sign_in();
    const auto& hash = begun.principal.session->hash;
    const auto end = clock.now() + 7 * 24h;
    while (clock.now() < end - 1h) {
        clock.advance(1h);
        worker.sessions.touch(hash, "192.0.2.9", clock.now());
        BOOST_TEST(is_open(begun.plain));
    }
    BOOST_TEST((worker.sessions.find_active(hash, clock.now())->session.expires_at() == end));
    clock.advance(1h - 1ms);
    BOOST_TEST(is_open(begun.plain));
    clock.advance(1ms);
    BOOST_TEST(!is_open(begun.plain));
    BOOST_TEST(is_fault(change(begun, "correct horse", "another"), identity::PasswordFault::session_ended));
}

BOOST_AUTO_TEST_CASE(use_is_recorded_once_in_a_while) {
    const auto begun = sign_in();
    const auto& hash = begun.principal.session->hash;
    const auto seen = [&] { return other.query("SELECT last_seen_at FROM sessions").at(0).time(0); };
    const auto begin = clock.now();
    BOOST_TEST(!identity::Sessions::touch_is_due(begin, begin + 5min - 1ms));
    sessions.touch(hash, "192.0.2.9", begin + 5min - 1ms);
    BOOST_TEST((seen() == begin));
    BOOST_TEST(identity::Sessions::touch_is_due(begin, begin + 5min));
    sessions.touch(hash, "192.0.2.9", begin + 5min);
    BOOST_TEST((seen() == begin + 5min));
    std::string errors;
    {
        db::Transaction transaction(other);
        other.execute("UPDATE sessions SET created_at = created_at + INTERVAL 1 SECOND");
        errors = test::errors_of([&] { sessions.touch(hash, "192.0.2.9", begin + 11min); });  // a wait would end with an error
    }
    BOOST_TEST(errors == "");
    BOOST_TEST((seen() == begin + 5min));
    BOOST_TEST(!connection.in_transaction());
    sessions.end(hash, clock.now());
    sessions.touch(hash, "192.0.2.9", begin + 11min);
    BOOST_TEST(count() == 0);
}

BOOST_AUTO_TEST_CASE(a_disabled_user_has_no_session) {
    const auto begun = sign_in();
    users.disable(user.id, clock.now());
    BOOST_TEST(!is_open(begun.plain));
    BOOST_TEST(is_fault(change(begun, "correct horse", "another"), identity::PasswordFault::session_ended));
    BOOST_TEST(!begin("correct horse"));
    BOOST_TEST(!sessions.begin(user.id, stored(), {}, clock.now()));
}

// Whoever changes a password ends the sessions then: what the old one began a moment later would outlive that.
BOOST_AUTO_TEST_CASE(a_password_changed_meanwhile_begins_no_session) {
    worker.passwords.meanwhile = [&] { users.set_password(user.id, worker.passwords.hash("another"), clock.now()); };
    BOOST_TEST(!begin("correct horse"));
    BOOST_TEST(count() == 0);
    worker.passwords.meanwhile = [&] { users.disable(user.id, clock.now()); };
    BOOST_TEST(!begin("another"));
    BOOST_TEST(count() == 0);
}

BOOST_AUTO_TEST_CASE(a_password_stored_anew_meanwhile_is_verified_again) {
    worker.passwords.meanwhile = [&] { users.set_password(user.id, worker.passwords.hash("correct horse"), clock.now()); };
    BOOST_TEST(begin("correct horse").has_value());
    BOOST_TEST(worker.passwords.verified == 2);
}

BOOST_AUTO_TEST_CASE(a_password_that_is_stored_anew_is_verified_once) {
    // Written by password_hash() of PHP 8.2 for "correct horse".
    users.set_password(user.id, "$2y$04$LmAR2p.qcM7AqzakWYJ1VO6F2t2aeaC6A3VcOvGvYMtzLa3WPcNBy", clock.now());
    BOOST_TEST(begin("correct horse").has_value());
    BOOST_TEST(stored().starts_with("$argon2id$"));
    BOOST_TEST(worker.passwords.verified == 1);
}

BOOST_AUTO_TEST_CASE(another_password_ends_all_sessions_but_this) {
    const auto begun = sign_in(), elsewhere = sign_in();
    const auto token = mint(user);
    const auto result = change(begun, "correct horse", "another");
    BOOST_REQUIRE(std::holds_alternative<identity::NewSession>(result));
    const auto& after = std::get<identity::NewSession>(result);
    BOOST_TEST((after.plain != begun.plain && after.principal.session->csrf_token != begun.principal.session->csrf_token));
    BOOST_TEST((!is_open(begun.plain) && !is_open(elsewhere.plain) && is_open(after.plain)));
    BOOST_TEST((count() == 1 && works(token)));
    BOOST_TEST((knows("another") && !knows("correct horse")));

    BOOST_TEST(std::holds_alternative<identity::NewSession>(change(after, "another", "another", true)));
    BOOST_TEST(!works(token));
    BOOST_TEST(!is_open(after.plain));
}

BOOST_AUTO_TEST_CASE(a_wrong_password_changes_nothing) {
    const auto begun = sign_in();
    const auto before = stored();
    BOOST_TEST(is_fault(change(begun, "wrong horse", "another", true), identity::PasswordFault::wrong));
    BOOST_TEST((stored() == before && is_open(begun.plain)));
}

BOOST_AUTO_TEST_CASE(what_happens_while_a_password_is_verified) {
    auto begun = sign_in();
    worker.passwords.meanwhile = [&] { users.set_password(user.id, worker.passwords.hash("correct horse"), clock.now()); };
    auto result = change(begun, "correct horse", "another");
    BOOST_REQUIRE(std::holds_alternative<identity::NewSession>(result));
    begun = std::get<identity::NewSession>(result);

    worker.passwords.meanwhile = [&] { users.set_password(user.id, worker.passwords.hash("third"), clock.now()); };
    BOOST_TEST(is_fault(change(begun, "another", "fourth"), identity::PasswordFault::wrong));
    BOOST_TEST(is_open(begun.plain));

    worker.passwords.meanwhile = [&] { sessions.end_all(user.id); };
    BOOST_TEST(is_fault(change(begun, "third", "fourth"), identity::PasswordFault::session_ended));
    BOOST_TEST((count() == 0 && knows("third")));
}

BOOST_AUTO_TEST_CASE(of_parallel_changes_one_succeeds) {
    const auto begun = sign_in(), elsewhere = sign_in();
    constexpr int runs = 6;
    std::vector<std::variant<identity::NewSession, identity::PasswordFault>> results(runs, identity::PasswordFault::wrong);
    std::vector<test::Thread> threads;
    for (int i = 0; i < runs; ++i)
        threads.emplace_back([&, i] {
            Worker own(database.config(), clock);
            const auto next = "new " + std::to_string(i);
            results[i] = own.dashboard.change_password((i % 2 ? begun : elsewhere).principal, {"correct horse", next});
        });
    for (auto& thread : threads) thread.join();
    int succeeded = 0;
    for (int i = 0; i < runs; ++i) {
        if (const auto* after = std::get_if<identity::NewSession>(&results[i])) {
            ++succeeded;
            BOOST_TEST(is_open(after->plain));
            BOOST_TEST(knows("new " + std::to_string(i)));
        } else {
            BOOST_TEST(is_fault(results[i], identity::PasswordFault::session_ended));
        }
    }
    BOOST_TEST(succeeded == 1);
    BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
