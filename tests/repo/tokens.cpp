// Tokens (API rules, "Tokens"): which are active, which are pruned, and parallel requests.
#include "identity/tokens/tokens.h"

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <atomic>
#include <barrier>
#include <boost/test/unit_test.hpp>
#include <set>

#include "repo/auth_support.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

// May be moved while another thread reads it.
struct SharedClock final : core::Clock {
    explicit SharedClock(core::Time start) : now_(start.time_since_epoch()) {}
    core::Time now() const override { return core::Time(now_.load()); }
    void set(core::Time time) { now_ = time.time_since_epoch(); }
    std::atomic<core::milliseconds> now_;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tokens_repo, test::AuthFixture)

BOOST_AUTO_TEST_CASE(a_minted_token) {
    const auto user = add_user("anna@example.org");
    const auto minted = tokens.mint(user.id, "Nightly feed ☃", clock).value();
    BOOST_TEST(minted.plain.size() == 64u);
    BOOST_TEST(minted.plain.find_first_not_of("0123456789abcdef") == std::string::npos);
    BOOST_TEST((minted.token.created_at == clock.now()));
    BOOST_TEST((minted.token.expires_at == clock.now() + std::chrono::days(90)));
    BOOST_TEST(mint(user) != minted.plain);

    const auto found = tokens.find_active(identity::token_hash(minted.plain), clock.now()).value();
    BOOST_TEST((found.token.id == minted.token.id && found.token.user_id == user.id));
    BOOST_TEST((found.token.name == "Nightly feed ☃"));
    BOOST_TEST((found.token.created_at == minted.token.created_at && found.token.expires_at == minted.token.expires_at));
    BOOST_TEST((!found.token.revoked_at && !found.token.last_used_at));
    BOOST_TEST(
        (found.user_email == "anna@example.org" && found.user_name == "Anna Smith" && found.user_created_at == user.created_at));

    const auto row = other.query("SELECT LENGTH(hash), LOWER(HEX(hash)), SHA2(?, 256) FROM api_tokens WHERE id = ?",
                                 {minted.plain, minted.token.id});
    BOOST_TEST(row.at(0).integer(0) == 32);
    BOOST_TEST(row.at(0).text(1) == row.at(0).text(2));
    BOOST_TEST(!works(std::string(64, '0')));
}

BOOST_AUTO_TEST_CASE(ninety_days_to_the_millisecond) {
    const auto plain = mint(add_user("anna@example.org"));
    clock.advance(std::chrono::days(90) - 1ms);
    BOOST_TEST(works(plain));
    clock.advance(1ms);
    BOOST_TEST(!works(plain));
}

BOOST_AUTO_TEST_CASE(a_mint_ends_with_what_it_rests_on) {
    const auto user = add_user("anna@example.org", "first"), ben = add_user("ben@example.org", "first");
    const auto session = sessions.begin(user.id, "first", {}, clock.now()).value().session;
    const auto bens = sessions.begin(ben.id, "first", {}, clock.now()).value().session;
    const auto mints = [&](const identity::MintingRight& right) { return tokens.mint(user.id, {}, clock, right).has_value(); };
    BOOST_TEST(mints({.password_hash = "first"}));
    BOOST_TEST(mints({.session = session.hash}));
    BOOST_TEST(!mints({.session = bens.hash}));
    const auto changed = sessions.change_password(session, {"first", "second", true, {}}, clock.now());
    BOOST_TEST(!mints({.password_hash = "first"}));
    BOOST_TEST(mints({.password_hash = "second"}));
    BOOST_TEST(!mints({.session = session.hash}));
    BOOST_TEST(mints({.session = std::get<identity::MintedSession>(changed).session.hash}));
    BOOST_TEST(!tokens.mint(add_user("none@example.org").id, {}, clock, {.password_hash = "first"}));
    BOOST_TEST(mints({}));
}

// The change has locked the user's row, and has not committed, when the mint begins: it waits, and finds the new password.
BOOST_AUTO_TEST_CASE(a_mint_waits_for_a_change_of_the_password) {
    const auto user = add_user("anna@example.org", "first");
    const auto session = sessions.begin(user.id, "first", {}, clock.now()).value().session;
    const auto minter = test::session_of(connection);
    for (const auto& right :
         {identity::MintingRight{.password_hash = "first"}, identity::MintingRight{.session = session.hash}}) {
        std::optional<identity::MintedToken> minted;
        test::Thread minting;
        {
            db::Transaction change(other);
            other.execute("UPDATE users SET password_hash = 'second' WHERE id = ?", {user.id});
            minting = test::Thread([&] { minted = tokens.mint(user.id, {}, clock, right); });
            db::Connection watching(database.config());
            while (!minting.ended() && !test::waits_for_lock(watching, minter)) continue;
            other.execute("DELETE FROM sessions WHERE user_id = ?", {user.id});
            change.commit();
        }
        minting.join();
        BOOST_TEST(!minted);
        other.execute("UPDATE users SET password_hash = 'first' WHERE id = ?", {user.id});
    }
    BOOST_TEST(tokens.list(user.id).empty());
}

BOOST_AUTO_TEST_CASE(revocation_is_seen_by_other_connections_at_once) {
    const auto user = add_user("anna@example.org");
    const auto first = tokens.mint(user.id, {}, clock).value(), second = tokens.mint(user.id, {}, clock).value();
    identity::Tokens elsewhere(other);
    BOOST_TEST(elsewhere.revoke(first.token.id, clock.now() + 1s));
    BOOST_TEST(!works(first.plain));
    BOOST_TEST(works(second.plain));
    BOOST_TEST(!elsewhere.revoke(first.token.id, clock.now() + 2s));
    BOOST_TEST((tokens.list(user.id).at(1).revoked_at == clock.now() + 1s));

    BOOST_TEST(elsewhere.revoke_own(user.id, second.token.id, clock.now()));
    BOOST_TEST(!works(second.plain));
    BOOST_TEST(!elsewhere.revoke_own(user.id, second.token.id, clock.now()));
    BOOST_TEST(!elsewhere.revoke(core::Uuid::v7(clock.now()), clock.now()));
}

BOOST_AUTO_TEST_CASE(a_disabled_user_has_no_token) {
    const auto user = add_user("anna@example.org");
    const auto plain = mint(user), bens = mint(add_user("ben@example.org"));
    identity::Users(other).disable(user.id, clock.now());
    BOOST_TEST(!works(plain));
    BOOST_TEST(works(bens));
    BOOST_TEST(!tokens.mint(user.id, {}, clock));
    BOOST_TEST(!tokens.mint(core::Uuid::v7(clock.now()), {}, clock));
    BOOST_TEST(tokens.list(user.id).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_eleventh_pushes_out_the_oldest) {
    const auto user = add_user("anna@example.org"), ben = add_user("ben@example.org");
    const auto bens = mint(ben);
    std::vector<std::string> plain;
    for (int i = 0; i < 10; ++i) plain.push_back(mint(user));
    for (const auto& token : plain) BOOST_TEST(works(token));
    plain.push_back(mint(user));
    plain.push_back(mint(user));
    for (std::size_t i = 0; i < plain.size(); ++i) BOOST_TEST(works(plain[i]) == (i >= 2));
    BOOST_TEST(tokens.list(user.id).size() == 10u);
    BOOST_TEST(works(bens));
}

BOOST_AUTO_TEST_CASE(times_ascend_though_the_clock_does_not) {
    const auto user = add_user("anna@example.org");
    std::vector<core::Time> times;
    for (const auto step : {0ms, 0ms, -1000ms, 5000ms}) {
        clock.advance(step);
        times.push_back(tokens.mint(user.id, {}, clock)->token.created_at);
    }
    const auto start = test::AuthFixture::start();
    BOOST_TEST((times == std::vector<core::Time>{start, start + 1ms, start + 2ms, start + 4000ms}));
    const auto listed = tokens.list(user.id);
    BOOST_TEST(std::equal(listed.rbegin(), listed.rend(), times.begin(), times.end(),
                          [](const auto& token, auto time) { return token.created_at == time; }));
}

BOOST_AUTO_TEST_CASE(expired_and_revoked_ones_take_no_place) {
    const auto user = add_user("anna@example.org");
    const auto expired = tokens.mint(user.id, {}, clock)->token;
    clock.advance(std::chrono::days(90));
    const auto revoked = tokens.mint(user.id, {}, clock)->token;
    tokens.revoke(revoked.id, clock.now());
    std::vector<std::string> plain;
    for (int i = 0; i < 10; ++i) plain.push_back(mint(user));
    for (const auto& token : plain) BOOST_TEST(works(token));
    auto listed = tokens.list(user.id);
    BOOST_REQUIRE(listed.size() == 12u);
    BOOST_TEST((listed[10].id == revoked.id && listed[11].id == expired.id));
    BOOST_TEST(std::count_if(listed.begin(), listed.end(), [&](const auto& token) { return token.active(clock.now()); }) == 10);

    mint(user);
    BOOST_TEST(!works(plain[0]));
    BOOST_TEST(works(plain[1]));
    BOOST_TEST(tokens.list(user.id).size() == 12u);
}

BOOST_AUTO_TEST_CASE(parallel_mints_leave_the_ten_newest) {
    constexpr int threads = 20, each = 3;
    const auto user = add_user("anna@example.org");
    std::vector<identity::MintedToken> minted(threads * each);
    std::barrier<> all_there(threads);
    test::in_parallel(threads, [&](std::size_t i) {
        test::Participant all(all_there);
        db::Connection own(database.config());
        own.query("SELECT 1");
        identity::Tokens repo(own);
        all.arrive_and_wait();
        for (std::size_t j = 0; j < each; ++j) minted[i * each + j] = repo.mint(user.id, {}, clock).value();
    });
    std::sort(minted.begin(), minted.end(), [](const auto& a, const auto& b) { return a.token.created_at > b.token.created_at; });
    std::set<core::Time> times;
    for (std::size_t i = 0; i < minted.size(); ++i) {
        times.insert(minted[i].token.created_at);
        BOOST_TEST(works(minted[i].plain) == (i < 10));
    }
    BOOST_TEST(times.size() == minted.size());
    BOOST_TEST(tokens.list(user.id).size() == 10u);
}

BOOST_AUTO_TEST_CASE(the_time_of_a_mint_is_taken_under_the_lock) {
    const auto user = add_user("anna@example.org");
    SharedClock shared(clock.now());
    const auto session = test::session_of(connection);
    std::optional<identity::MintedToken> minted;
    db::Connection watcher(database.config());
    test::Thread minting;
    {
        db::Transaction transaction(other);
        other.query("SELECT 1 FROM users WHERE id = ? FOR UPDATE", {user.id});
        minting = test::Thread([&] { minted = tokens.mint(user.id, {}, shared); });
        while (!minting.ended() && !test::waits_for_lock(watcher, session)) continue;
        shared.set(clock.now() + 3s);
        transaction.commit();
    }
    minting.join();
    BOOST_TEST((minted.value().token.created_at == clock.now() + 3s));
}

BOOST_AUTO_TEST_CASE(use_is_recorded_every_five_minutes) {
    const auto user = add_user("anna@example.org");
    const auto first = tokens.mint(user.id, {}, clock)->token, second = tokens.mint(user.id, {}, clock)->token;
    const auto recorded = [&] { return tokens.list(user.id).at(1).last_used_at; };
    const auto begin = clock.now();
    BOOST_TEST(identity::Tokens::touch_is_due({}, begin));
    tokens.touch_last_used(first.id, begin);
    BOOST_TEST((recorded() == begin));
    BOOST_TEST(!tokens.list(user.id).at(0).last_used_at);

    BOOST_TEST(!identity::Tokens::touch_is_due(begin, begin + 5min - 1ms));
    tokens.touch_last_used(first.id, begin + 5min - 1ms);
    BOOST_TEST((recorded() == begin));
    BOOST_TEST(identity::Tokens::touch_is_due(begin, begin + 5min));
    tokens.touch_last_used(first.id, begin + 5min);
    BOOST_TEST((recorded() == begin + 5min));
    BOOST_TEST(!connection.in_transaction());
}

BOOST_AUTO_TEST_CASE(recording_use_does_not_wait_for_a_lock) {
    const auto user = add_user("anna@example.org");
    const auto token = tokens.mint(user.id, {}, clock)->token;
    std::string errors;
    {
        db::Transaction transaction(other);
        other.execute("UPDATE api_tokens SET revoked_at = NULL, name = 'x' WHERE id = ?", {token.id});
        errors = test::errors_of([&] { tokens.touch_last_used(token.id, clock.now()); });  // a wait would end with an error
    }
    BOOST_TEST(errors == "");
    BOOST_TEST(!tokens.list(user.id).at(0).last_used_at);
    BOOST_TEST(!connection.in_transaction());
}

BOOST_AUTO_TEST_CASE(recording_use_does_not_fail) {
    auto nowhere = database.config();
    nowhere.socket = "/nonexistent/socket";
    db::Connection away(nowhere);
    identity::Tokens unreachable(away);
    const auto errors = test::errors_of([&] { unreachable.touch_last_used(core::Uuid::v7(clock.now()), clock.now()); });
    BOOST_TEST(errors.find("token_use_not_recorded") != std::string::npos);
    BOOST_CHECK_THROW(unreachable.find_active(identity::token_hash("x"), clock.now()), db::Unavailable);
}

BOOST_AUTO_TEST_SUITE_END()
