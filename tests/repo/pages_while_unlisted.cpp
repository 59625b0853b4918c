// A page far on is computed from counts and hidden rows by several statements: jobs that are unlisted meanwhile must not shift it.
#include <future>

#include "repo/counted_jobs.h"

using namespace tradepost;
using namespace tradepost::test;

BOOST_FIXTURE_TEST_SUITE(pages_while_unlisted, CountedJobs)

BOOST_AUTO_TEST_CASE(a_page_far_on_is_of_one_moment) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 1600; ++i) {
        all.push_back(job());
        all.back().status = "PUBLISHED";
        all.back().published_at = now - 1min * (1600 - i);
        all.back().expires_at = i >= 1400 ? std::optional(now - 1min) : std::nullopt;  // the newest ones
    }
    write(all);
    const auto expected = select("SELECT id FROM jobs WHERE " + shown + "1 ORDER BY published_at DESC, id DESC");
    const auto known = total(connection, jobs::public_list(), "", now);
    BOOST_REQUIRE(known.hidden == 200);

    // The statement that reads the hidden rows lets the other connection go on, and waits for it before it ends. A condition that is
    // pushed down to an index would wait with a page of it locked.
    connection.execute("SET SESSION optimizer_switch = 'index_condition_pushdown=off'");
    lists::Hidden hidden = *jobs::public_list().hidden;
    hidden.hidden = "t.expires_at <= ? AND IF(COALESCE(RELEASE_LOCK('unlist'), 0) >= 0, GET_LOCK('unlisted', 20), 0) = 1";
    lists::List list = jobs::public_list();
    list.hidden = &hidden;
    connection.query("SELECT GET_LOCK('unlist', 0)");
    std::promise<void> ready;
    auto unlisted = std::async(std::launch::async, [&] {
        db::Connection other(database.config());
        other.query("SELECT GET_LOCK('unlisted', 0)");
        ready.set_value();
        other.query("SELECT GET_LOCK('unlist', 20)");
        const auto count = jobs::unlist_expired_jobs(other, now);
        other.query("SELECT RELEASE_LOCK('unlisted')");
        return count;
    });
    ready.get_future().wait();
    const auto page = ids(read(connection, selected(list, ""), {1100, 20}, now, &known));
    BOOST_TEST(unlisted.get() == 200u);
    BOOST_CHECK(page == std::vector<Uuid>(expected.begin() + 1100, expected.begin() + 1120));
    BOOST_TEST(total(connection, jobs::public_list(), "", now).rows == known.rows);
}

BOOST_AUTO_TEST_SUITE_END()
