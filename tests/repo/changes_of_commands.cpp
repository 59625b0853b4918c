// Every command that writes what others follow records it. For requests, the runner of .case files checks this.
#include "repo/ctl_support.h"
#include "support/background.h"
#include "support/change_watch.h"

using namespace tradepost;

namespace {

struct Fixture : test::CtlFixture {
    test::ChangeWatch watch{connection};

    void records(std::size_t least) {
        for (const auto& fault : watch.faults()) BOOST_ERROR(fault);
        BOOST_TEST(watch.recorded() >= least);
    }
    void imports(const std::string& kind, const std::string& lines, std::size_t least) {
        std::ofstream(path) << lines;
        const auto result = ctl({"import", kind, path});
        BOOST_TEST(result.code == 0, result.error);
        BOOST_TEST_CONTEXT(result.out) records(least);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(changes_of_commands, Fixture)

BOOST_AUTO_TEST_CASE(imports_and_what_is_done_to_organisations) {
    const std::string of = R"("organisation":"north-tractors"})";
    const std::string job = R"({"slug":"j","status":"PUBLISHED","description":"D","category":"C","city":"York",)"
                            R"("contractType":"PERMANENT",)";
    imports("jobs", job + R"("title":"J",)" + of + "\n" + R"({"slug":"k","title":"K",)" + of, 2);
    imports("jobs", job + R"("title":"Other",)" + of, 1);
    imports("jobs", job + R"("title":"Other",)" + of, 0);
    BOOST_TEST(watch.recorded() == 0u);
    imports("events", R"({"slug":"e","title":"E","startsAt":"2026-06-01T10:00:00Z",)" + of, 1);
    imports("posts", R"({"slug":"p","title":"P","body":"B","tags":["a","b"],)" + of, 1);
    imports("posts", R"({"slug":"p","title":"P","tags":["b"],)" + of, 1);
    imports("posts", R"({"slug":"q","title":"Q","body":"B"})", 1);
    imports("stock", R"({"reference":"r","title":"R",)" + of, 1);
    imports("stock", R"({"reference":"r","title":"Other",)" + of, 1);

    BOOST_TEST(ctl({"org", "unpublish", "--org", "north-tractors"}).code == 0);
    records(1);
    BOOST_TEST(ctl({"org", "publish", "--org", "north-tractors"}).code == 0);
    records(1);
    // tradepost-deliver records what a new name changes.
    std::ofstream(path) << R"({"slug":"north-tractors","name":"North & Sons"})"
                           "\n";
    BOOST_TEST(ctl({"import", "organisations", path}).code == 0);
    test::do_background_work(connection);
    records(4);
    imports("organisations",
            R"({"slug":"north-tractors","name":"North & Sons","city":"York"})"
            "\n",
            0);
    BOOST_TEST(watch.recorded() == 0u);

    connection.execute("UPDATE jobs SET city = 'By hand'");
    BOOST_TEST(ctl({"recount"}).code == 0);
    records(5);
}

BOOST_AUTO_TEST_CASE(demo_data_and_jobs_that_expire) {
    BOOST_TEST(ctl({"demo", "--organisations=3", "--jobs=40", "--events=9", "--posts=8", "--stock=7", "--enquiries=6"}).code ==
               0);
    records(70);
    connection.execute("UPDATE jobs SET expires_at = '2020-01-01' WHERE listed = 1");
    BOOST_TEST(count("jobs WHERE listed = 1") > 0);
    watch.start();
    BOOST_TEST(ctl({"prune"}).code == 0);
    BOOST_TEST(count("jobs WHERE listed = 1") == 0);
    records(1);
}

BOOST_AUTO_TEST_SUITE_END()
