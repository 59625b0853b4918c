// What processes tell each other of commits: never that something is still true when it may not be.
#define BOOST_TEST_DYN_LINK
#include "versions/shared_versions.h"

#include <signal.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>
#include <vector>

#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::versions;
using namespace tradepost::limits::test;
using db::Outcome;
using When = VersionsFile::WhenMissing;

namespace {

const std::vector<std::string> jobs{"jobs"}, both{"jobs", "posts"};
constexpr std::size_t slots = VersionsFile::Cell::slot_count;

struct Fixture {
    TemporaryFolder folder;
    std::string path = folder / "versions";
    std::int64_t now = 1'000'000;

    SharedVersions open(When when = When::create) {
        return SharedVersions(path, when, [this] { return now; });
    }
    // A writer on its way.
    std::unique_ptr<SharedVersions> begun() {
        auto writer = std::make_unique<SharedVersions>(path, When::create, [this] { return now; });
        writer->committing(jobs);
        return writer;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(shared_versions, Fixture)

BOOST_AUTO_TEST_CASE(a_commit_is_pending_and_then_another_epoch) {
    auto writer = open(), reader = open();
    const auto before = reader.state("jobs"), posts = reader.state("posts"), events = reader.state("events");
    BOOST_TEST(before.has_value());
    BOOST_CHECK(before == reader.state("jobs"));
    writer.committing(both);
    BOOST_CHECK(!reader.state("jobs"));
    BOOST_CHECK(!reader.state("posts"));
    BOOST_CHECK(!writer.state("jobs"));
    BOOST_CHECK(reader.state("events") == events);
    writer.committed(both, Outcome::known);
    BOOST_TEST(reader.state("jobs").has_value());
    BOOST_CHECK(reader.state("jobs") != before);
    BOOST_CHECK(reader.state("posts") != posts);
    BOOST_CHECK(reader.state("events") == events);
    BOOST_CHECK(writer.state("jobs") == reader.state("jobs"));
}

// What is read between an announcement and the commit must not seem true after it, even if its end is never announced.
BOOST_AUTO_TEST_CASE(an_announcement_is_another_epoch_too) {
    auto writer = open(), reader = open();
    const auto before = reader.state("jobs");
    writer.committing(jobs);
    now += 60'000;
    BOOST_TEST(reader.state("jobs").has_value());
    BOOST_CHECK(reader.state("jobs") != before);
}

BOOST_AUTO_TEST_CASE(collections_without_a_cell_of_their_own_share_one) {
    auto writer = open(), reader = open();
    const auto jobs_before = reader.state("jobs"), other = reader.state("other");
    writer.committing({"stock", "enquiries", "stock"});
    BOOST_CHECK(!reader.state("other"));
    BOOST_CHECK(reader.state("jobs") == jobs_before);
    writer.committed({"stock", "enquiries", "stock"}, Outcome::known);
    BOOST_CHECK(reader.state("other") != other);
    BOOST_TEST(reader.state("other").has_value());
}

BOOST_AUTO_TEST_CASE(an_unknown_outcome_stays_pending_for_a_minute) {
    auto writer = open(), reader = open();
    writer.committing(jobs);
    writer.committed(jobs, Outcome::unknown);
    now += 59'999;
    BOOST_CHECK(!reader.state("jobs"));
    // The same writer's next commit does not end it.
    writer.committing(jobs);
    writer.committed(jobs, Outcome::known);
    BOOST_CHECK(!reader.state("jobs"));
    now += 1;
    BOOST_TEST(reader.state("jobs").has_value());
}

BOOST_AUTO_TEST_CASE(a_writer_whose_clock_was_read_a_moment_later_counts) {
    auto writer = open(), reader = open();
    writer.committing(jobs);
    now -= 1;
    BOOST_CHECK(!reader.state("jobs"));
    now -= 59'998;
    BOOST_CHECK(!reader.state("jobs"));
}

BOOST_AUTO_TEST_CASE(what_is_from_before_a_reboot_is_lost) {
    auto writer = open(), reader = open();
    writer.committing(jobs);
    now = 5;
    BOOST_TEST(reader.state("jobs").has_value());
}

BOOST_AUTO_TEST_CASE(every_writer_has_a_slot_of_its_own) {
    auto reader = open();
    std::vector<std::unique_ptr<SharedVersions>> writers;
    for (std::size_t i = 0; i < slots; ++i) writers.push_back(begun());
    for (const auto& writer : writers) {
        BOOST_CHECK(!reader.state("jobs"));
        writer->committed(jobs, Outcome::known);
    }
    BOOST_TEST(reader.state("jobs").has_value());
}

BOOST_AUTO_TEST_CASE(a_commit_that_outlasts_its_slot_is_heard_of) {
    auto writer = open(), reader = open();
    writer.committing(jobs);
    now += 60'000;
    const auto before = reader.state("jobs");
    BOOST_TEST(before.has_value());
    writer.committed(jobs, Outcome::known);
    BOOST_CHECK(reader.state("jobs") != before);
}

BOOST_AUTO_TEST_CASE(with_all_slots_taken_the_oldest_is_given_up) {
    auto reader = open();
    std::vector<std::unique_ptr<SharedVersions>> writers;
    for (std::size_t i = 0; i <= slots; ++i) {
        writers.push_back(begun());
        ++now;
    }
    for (std::size_t i = 1; i <= slots; ++i) {
        BOOST_CHECK(!reader.state("jobs"));
        writers[i]->committed(jobs, Outcome::known);
    }
    const auto before = reader.state("jobs");
    BOOST_TEST(before.has_value());
    writers[0]->committed(jobs, Outcome::known);
    BOOST_CHECK(reader.state("jobs") != before);
}

BOOST_AUTO_TEST_CASE(who_was_given_up_frees_nobody_elses_slot) {
    auto reader = open();
    std::vector<std::unique_ptr<SharedVersions>> writers;
    for (std::size_t i = 0; i <= slots; ++i) writers.push_back(begun());  // all in one millisecond
    for (const auto& writer : writers) {
        BOOST_CHECK(!reader.state("jobs"));
        writer->committed(jobs, Outcome::known);
    }
    BOOST_TEST(reader.state("jobs").has_value());
}

BOOST_AUTO_TEST_CASE(lost_slots_go_before_the_oldest) {
    auto reader = open();
    now += 60'000;
    begun();
    now -= 60'000;  // as after a reboot: it is not the oldest
    const auto oldest = begun();
    now += 10;
    std::vector<std::unique_ptr<SharedVersions>> writers;
    for (std::size_t i = 1; i < slots; ++i) writers.push_back(begun());
    for (const auto& writer : writers) writer->committed(jobs, Outcome::known);
    BOOST_CHECK(!reader.state("jobs"));
    oldest->committed(jobs, Outcome::known);
    now += 1'000;
    BOOST_TEST(reader.state("jobs").has_value());
}

BOOST_AUTO_TEST_CASE(lost_slots_are_used_again) {
    auto reader = open();
    for (std::size_t i = 0; i < slots; ++i) begun();
    now += 60'000;
    auto writer = open();
    const auto before = reader.state("jobs");
    writer.committing(jobs);
    BOOST_CHECK(!reader.state("jobs"));
    writer.committed(jobs, Outcome::known);
    BOOST_TEST(reader.state("jobs").has_value());
    BOOST_CHECK(reader.state("jobs") != before);
}

BOOST_AUTO_TEST_CASE(a_killed_process_leaves_its_commit_pending) {
    auto reader = open();
    const pid_t child = in_child([&] {
        auto writer = open();
        writer.committing(jobs);
        kill(getpid(), SIGKILL);
        return 0;
    });
    BOOST_TEST(exit_code(child) == -SIGKILL);
    BOOST_CHECK(!reader.state("jobs"));
    BOOST_TEST(reader.state("posts").has_value());
    now += 60'000;
    BOOST_TEST(reader.state("jobs").has_value());
}

// Each writer's commits are numbers that it stores between the two calls; a reader that is told the same epoch twice must
// have read the same numbers after both.
BOOST_AUTO_TEST_CASE(eight_processes_never_let_a_reader_hold_on_to_what_has_changed) {
    struct Numbers {
        std::atomic<int> of[8];
        std::atomic<int> done;
    };
    auto* numbers = new (mmap(nullptr, sizeof(Numbers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Numbers{};
    open();
    std::vector<pid_t> children;
    for (int writer = 0; writer < 8; ++writer) {
        children.push_back(in_child([&, writer] {
            SharedVersions versions(path, When::create);
            for (int i = 0; i < 2'000; ++i) {
                versions.committing(jobs);
                ++numbers->of[writer];
                versions.committed(jobs, Outcome::known);
                if (i % 16 == 0) sched_yield();
            }
            ++numbers->done;
            return 0;
        }));
    }
    SharedVersions reader(path, When::create);
    const auto read = [&] {
        std::array<int, 8> values;
        for (int i = 0; i < 8; ++i) values[std::size_t(i)] = numbers->of[i];
        return values;
    };
    std::map<std::uint64_t, std::array<int, 8>> seen;
    int broken = 0;
    while (numbers->done < 8) {
        // As CollectionVersions does; what it finds cached must be no older than what stood before the request.
        const auto now_there = read();
        const auto epoch = reader.state("jobs");
        if (!epoch) continue;
        const auto known = seen.find(*epoch);
        if (known == seen.end()) {
            seen.emplace(*epoch, read());
            continue;
        }
        // A writer stores before it has committed: only one that has is to be seen, so the epoch then differs.
        for (int i = 0; i < 8; ++i) broken += known->second[std::size_t(i)] + 1 < now_there[std::size_t(i)];
    }
    for (const pid_t child : children) BOOST_TEST(exit_code(child) == 0);
    BOOST_TEST(broken == 0);
    BOOST_TEST(reader.state("jobs").has_value());
    munmap(numbers, sizeof(Numbers));
}

BOOST_AUTO_TEST_SUITE_END()
