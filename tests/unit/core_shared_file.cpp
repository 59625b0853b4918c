// Files that processes of two users map: the folder says whether they may.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "core/shared_file_access.h"
#include "limits/counter_file.h"
#include "versions/versions_file.h"

using namespace tradepost;

namespace {

struct Folder {
    Folder() { BOOST_REQUIRE(mkdtemp(path.data())); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path = "/tmp/tradepost-shared-XXXXXX";
};

mode_t mode_of(const std::string& path) {
    struct stat status {};
    BOOST_REQUIRE_EQUAL(lstat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
}

// Whether another user, of that group alone, can use both files.
bool usable_by_another(const std::string& folder, gid_t group) {
    const pid_t child = fork();
    if (child == 0) {
        if (setgroups(0, nullptr) != 0 || setgid(group) != 0 || setuid(65533) != 0) _exit(9);
        try {
            limits::CounterFile counters(folder + "/limits");
            _exit(versions::VersionsFile::open(folder + "/versions", versions::VersionsFile::WhenMissing::create) ? 0 : 1);
        } catch (const std::exception&) {
            _exit(2);
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(core_shared_file, Folder)

BOOST_AUTO_TEST_CASE(the_folder_decides) {
    const auto mode = [&](mode_t of_folder) {
        BOOST_REQUIRE_EQUAL(chmod(path.c_str(), of_folder), 0);
        return core::shared_file_access(path + "/x").mode;
    };
    BOOST_TEST(mode(02770) == 0660u);
    BOOST_TEST(mode(02775) == 0660u);
    BOOST_TEST(mode(0770) == 0600u);
    BOOST_TEST(mode(02750) == 0600u);
    BOOST_TEST(mode(02777) == 0600u);  // like /dev/shm: for anybody
    BOOST_TEST(mode(0700) == 0600u);
    BOOST_TEST(core::shared_file_access("/nonexistent/x").mode == 0600u);
    BOOST_TEST(core::shared_file_access("x").mode == core::shared_file_access("./x").mode);
}

BOOST_AUTO_TEST_CASE(two_users_of_a_group_share_counters_and_versions) {
    constexpr gid_t group = 65532;
    if (geteuid() != 0) {
        std::cerr << "SKIPPED core_shared_file: only root can become another user\n";
        return;
    }
    BOOST_REQUIRE_EQUAL(chown(path.c_str(), 0, group), 0);
    BOOST_REQUIRE_EQUAL(chmod(path.c_str(), 02770), 0);
    const auto before = umask(077);
    {
        limits::CounterFile counters(path + "/limits");
        const auto versions = versions::VersionsFile::open(path + "/versions", versions::VersionsFile::WhenMissing::create);
    }
    umask(before);
    BOOST_TEST(mode_of(path + "/limits") == 0660u);
    BOOST_TEST(mode_of(path + "/versions") == 0660u);
    BOOST_TEST(usable_by_another(path, group));
    BOOST_TEST(!usable_by_another(path, group - 1));
    // What another made, we use; a folder of ours alone makes it a stranger's.
    std::filesystem::remove(path + "/limits");
    BOOST_TEST(usable_by_another(path, group));
    BOOST_CHECK_NO_THROW(limits::CounterFile(path + "/limits"));
    BOOST_REQUIRE_EQUAL(chmod(path.c_str(), 0700), 0);
    BOOST_CHECK_THROW(limits::CounterFile(path + "/limits"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
