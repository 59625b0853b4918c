// The file of shared versions: when it is missing, not ours, or goes away under us.
#define BOOST_TEST_DYN_LINK
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <vector>

#include "unit/limits_support.h"
#include "versions/shared_versions.h"

using namespace tradepost;
using namespace tradepost::versions;
using namespace tradepost::limits::test;
using db::Outcome;
using When = VersionsFile::WhenMissing;

namespace {

const std::vector<std::string> jobs{"jobs"};

struct Fixture {
    TemporaryFolder folder;
    std::string path = folder / "versions";

    struct stat status() const {
        struct stat found {};
        BOOST_REQUIRE(lstat(path.c_str(), &found) == 0);
        return found;
    }
    std::size_t files() const {
        return std::size_t(
            std::distance(std::filesystem::directory_iterator(folder.path), std::filesystem::directory_iterator()));
    }
    // Neither a reader nor a writer fails; it is said once.
    void check_unusable() {
        const CapturedLog log;
        SharedVersions versions(path, When::create);
        for (int i = 0; i < 3; ++i) {
            BOOST_CHECK(!versions.state("jobs"));
            versions.committing(jobs);
            versions.committed(jobs, Outcome::known);
        }
        BOOST_TEST(log.lines_with(path) == 1);
        BOOST_CHECK_EXCEPTION(SharedVersions(path, When::leave), std::runtime_error,
                              [&](const auto& error) { return std::string(error.what()).find(path) != std::string::npos; });
    }
    const std::vector<std::function<void()>> harms{
        [this] { std::filesystem::remove(path); },
        [this] { std::filesystem::rename(path, folder / "elsewhere"); },
        [this] { BOOST_REQUIRE(truncate(path.c_str(), 0) == 0); },
        [this] { BOOST_REQUIRE(truncate(path.c_str(), 1 << 20) == 0); },
        [this] {
            std::ofstream(folder / "other") << "other";
            std::filesystem::rename(folder / "other", path);
        },
    };
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(versions_file, Fixture)

BOOST_AUTO_TEST_CASE(is_private_wholly_allocated_and_found_again) {
    const mode_t before = umask(0);
    SharedVersions first(path, When::create);
    first.state("jobs");
    umask(before);
    BOOST_TEST((status().st_mode & 07777) == 0600u);
    BOOST_TEST(status().st_size == static_cast<off_t>(sizeof(VersionsFile::Layout)));
    BOOST_TEST(status().st_blocks * 512 >= status().st_size);
    const auto inode = status().st_ino;
    SharedVersions second(path, When::create), administrator(path, When::leave);
    BOOST_CHECK(second.state("jobs") == first.state("jobs"));
    BOOST_CHECK(administrator.state("jobs") == first.state("jobs"));
    BOOST_TEST(status().st_ino == inode);
    BOOST_TEST(files() == 1u);
}

BOOST_AUTO_TEST_CASE(tradepostctl_makes_none) {
    SharedVersions administrator(path, When::leave);
    administrator.committing(jobs);
    administrator.committed(jobs, Outcome::known);
    BOOST_CHECK(!administrator.state("jobs"));
    BOOST_TEST(files() == 0u);
    std::ofstream(path) << "damaged";
    SharedVersions another(path, When::leave);
    BOOST_CHECK(!another.state("jobs"));
    BOOST_TEST(std::filesystem::file_size(path) == 7u);
}

BOOST_AUTO_TEST_CASE(what_is_made_during_a_commit_of_tradepostctl_hears_of_it) {
    SharedVersions administrator(path, When::leave);
    administrator.committing(jobs);
    SharedVersions worker(path, When::create);
    const auto before = worker.state("jobs");
    BOOST_TEST(before.has_value());
    administrator.committed(jobs, Outcome::known);
    BOOST_CHECK(worker.state("jobs") != before);
    BOOST_TEST(worker.state("jobs").has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_used_is_said_once_and_stops_nobody) {
    std::filesystem::create_symlink(folder / "target", path);
    check_unusable();
    BOOST_TEST(!std::filesystem::exists(folder / "target"));
    std::filesystem::remove(path);

    std::filesystem::create_directory(path);
    check_unusable();
    std::filesystem::remove(path);

    BOOST_REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    check_unusable();
    std::filesystem::remove(path);

    path = folder / "missing/versions";
    const CapturedLog log;
    SharedVersions versions(path, When::create);
    for (int i = 0; i < 3; ++i) BOOST_CHECK(!versions.state("jobs"));
    BOOST_TEST(log.lines_with(path) == 1);
    BOOST_CHECK(!SharedVersions(path, When::leave).state("jobs"));
}

BOOST_AUTO_TEST_CASE(another_users_file_is_for_its_owner_and_for_tradepostctl_as_root) {
    if (geteuid() != 0) return;
    SharedVersions(path, When::create).state("jobs");
    BOOST_REQUIRE(chown(path.c_str(), 65534, 65534) == 0);
    BOOST_TEST(SharedVersions(path, When::leave).state("jobs").has_value());
    {
        const CapturedLog log;
        BOOST_CHECK(!SharedVersions(path, When::create).state("jobs"));
        BOOST_TEST(log.lines_with("run this as its owner nobody") == 1);
    }
    // Neither root nor the owner.
    BOOST_REQUIRE(chmod(folder.path.c_str(), 0755) == 0);
    const pid_t child = in_child([&] {
        if (setgid(65533) != 0 || setuid(65533) != 0) return 1;
        try {
            SharedVersions(path, When::leave);
        } catch (const std::runtime_error& error) {
            return std::string(error.what()).find("run this as its owner nobody") == std::string::npos ? 2 : 0;
        }
        return 3;
    });
    BOOST_TEST(exit_code(child) == 0);
}

BOOST_AUTO_TEST_CASE(a_reader_follows_a_file_that_went_away_and_holds_on_to_nothing) {
    for (const auto& harm : harms) {
        SharedVersions reader(path, When::create), writer(path, When::create);
        const auto before = reader.state("jobs");
        BOOST_TEST(before.has_value());
        writer.state("jobs");
        harm();
        const auto after = reader.state("jobs");
        BOOST_TEST(after.has_value());
        BOOST_CHECK(after != before);
        BOOST_CHECK(writer.state("jobs") == after);
        writer.committing(jobs);
        BOOST_CHECK(!reader.state("jobs"));
        writer.committed(jobs, Outcome::known);
        BOOST_CHECK(reader.state("jobs") != after);
    }
}

BOOST_AUTO_TEST_CASE(a_file_that_went_away_and_cannot_be_made_again_is_used_no_more) {
    SharedVersions reader(path, When::create), writer(path, When::create);
    BOOST_TEST(reader.state("jobs").has_value());
    writer.committing(jobs);
    BOOST_REQUIRE(truncate(path.c_str(), 0) == 0);
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    const CapturedLog log;
    writer.committed(jobs, Outcome::known);
    writer.committing(jobs);
    writer.committed(jobs, Outcome::known);
    BOOST_CHECK(!reader.state("jobs"));
    std::filesystem::remove(path);
    BOOST_TEST(reader.state("jobs").has_value());
    BOOST_CHECK(writer.state("jobs") == reader.state("jobs"));
}

BOOST_AUTO_TEST_CASE(a_commit_during_which_the_file_went_away_is_heard_of) {
    for (const auto outcome : {Outcome::known, Outcome::unknown})
        for (const auto& harm : harms) {
            SharedVersions reader(path, When::create), writer(path, When::create);
            reader.state("jobs");
            writer.committing(jobs);
            harm();
            const auto before = reader.state("jobs");  // of the new file
            BOOST_TEST(before.has_value());
            writer.committed(jobs, outcome);
            BOOST_CHECK(reader.state("jobs") != before);
            BOOST_TEST(reader.state("jobs").has_value() == (outcome == Outcome::known));
            std::filesystem::remove(path);
        }
}

BOOST_AUTO_TEST_CASE(a_file_open_to_others_is_made_anew) {
    SharedVersions(path, When::create).state("jobs");
    const auto inode = status().st_ino;
    BOOST_REQUIRE(chmod(path.c_str(), 0666) == 0);
    SharedVersions(path, When::create).state("jobs");
    BOOST_TEST(status().st_ino != inode);
    BOOST_TEST((status().st_mode & 07777) == 0600u);
}

BOOST_AUTO_TEST_CASE(processes_that_start_at_once_end_with_one_file) {
    for (int round = 0; round < 20; ++round) {
        if (round % 2 == 0) std::filesystem::remove(path);
        if (round % 2 == 1) std::ofstream(path) << "not versions";
        Gate gate;
        std::vector<pid_t> children;
        for (int i = 0; i < 8; ++i)
            children.push_back(in_child([&] {
                gate.wait();
                SharedVersions versions(path, When::create);
                versions.committing(jobs);
                versions.committed(jobs, Outcome::known);
                return 0;
            }));
        gate.open_to_all();
        for (const pid_t child : children) BOOST_REQUIRE(exit_code(child) == 0);
        BOOST_TEST(SharedVersions(path, When::create).state("jobs").has_value());
        BOOST_TEST(files() == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
