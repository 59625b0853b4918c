// The shared file: who may use it, and what happens when it is not what it should be.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <xxhash.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <functional>

#include "limits/counter_file.h"
#include "limits/shared_memory.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;
using State = CounterFile::State;

namespace {

struct stat status_of(const std::string& path) {
    struct stat status {};
    BOOST_REQUIRE(lstat(path.c_str(), &status) == 0);
    return status;
}

void change_header(CounterFile& file, const std::function<void(Header&)>& change) {
    Header& header = file.layout().header;
    change(header);
    header.checksum = XXH3_64bits(&header, offsetof(Header, checksum));
}

struct Fixture {
    TemporaryFolder folder;
    std::string path = folder / "counters";
    core::ManualClock clock{start};

    bool names_the_file(const std::runtime_error& error) const {
        return std::string(error.what()).find(path) != std::string::npos;
    }
    void refused() {
        BOOST_CHECK_EXCEPTION(CounterFile{path}, std::runtime_error, [&](const auto& error) { return names_the_file(error); });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_counter_file, Fixture)

BOOST_AUTO_TEST_CASE(is_private_wholly_allocated_and_found_again) {
    const mode_t before = umask(0);
    CounterFile first(path);
    umask(before);
    const struct stat status = status_of(path);
    BOOST_TEST((status.st_mode & 07777) == 0600u);
    BOOST_TEST(status.st_size == static_cast<off_t>(sizeof(Layout)));
    BOOST_TEST(status.st_blocks * 512 >= status.st_size);
    CounterFile second(path);
    BOOST_TEST(status_of(path).st_ino == status.st_ino);
    BOOST_TEST(second.layout().header.hash_key[0] == first.layout().header.hash_key[0]);
    BOOST_CHECK(first.state() == State::current);
    CounterFile other(folder / "other");
    BOOST_TEST(other.layout().header.hash_key[0] != first.layout().header.hash_key[0]);
}

BOOST_AUTO_TEST_CASE(links_folders_and_other_users_files_are_refused) {
    std::filesystem::create_symlink(folder / "target", path);
    refused();
    BOOST_TEST(!std::filesystem::exists(folder / "target"));
    std::filesystem::remove(path);

    std::filesystem::create_directory(path);
    refused();
    std::filesystem::remove(path);

    BOOST_REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    refused();
    std::filesystem::remove(path);

    std::ofstream(path) << "theirs";
    if (chown(path.c_str(), 65534, 65534) == 0) refused();  // only root can make this one
    std::filesystem::remove(path);

    path = folder / "missing/counters";
    refused();
}

BOOST_AUTO_TEST_CASE(what_is_damaged_old_or_open_to_others_is_made_anew) {
    const std::function<void(CounterFile&)> harms[] = {
        [](CounterFile& file) { file.mark_damaged(); },
        [](CounterFile& file) { ++file.layout().header.hash_key[1]; },
        [](CounterFile& file) { change_header(file, [](Header& header) { ++header.version; }); },
        [](CounterFile& file) { change_header(file, [](Header& header) { header.boot_id[0] ^= 1; }); },
        [&](CounterFile&) { BOOST_REQUIRE(chmod(path.c_str(), 0640) == 0); },
        [&](CounterFile&) { BOOST_REQUIRE(truncate(path.c_str(), 4096) == 0); },
        [&](CounterFile&) { BOOST_REQUIRE(truncate(path.c_str(), 0) == 0); },
    };
    for (const auto& harm : harms) {
        CounterFile before(path);
        const ino_t inode = status_of(path).st_ino;
        harm(before);
        const CounterFile after(path);
        BOOST_TEST(status_of(path).st_ino != inode);
        BOOST_CHECK(before.state() != State::current);
        BOOST_CHECK(after.state() == State::current);
    }
}

// As between the check of a worker and its access.
BOOST_AUTO_TEST_CASE(access_to_a_truncated_file_does_not_end_the_process) {
    CounterFile file(path);
    BOOST_REQUIRE(truncate(path.c_str(), 0) == 0);
    auto& slot = file.layout().sets[Layout::set_count - 1].slots[0];
    BOOST_TEST(slot.count == 0u);
    slot.count = 7;
    BOOST_TEST(slot.count == 7u);
    // At its full length again it is still not the file that we write to.
    BOOST_REQUIRE(truncate(path.c_str(), sizeof(Layout)) == 0);
    BOOST_CHECK(file.state() == State::truncated);
}

BOOST_AUTO_TEST_CASE(a_lock_that_is_held_when_the_file_is_truncated_can_be_let_go_of) {
    for (int i = 0; i < 3; ++i) {
        CounterFile file(path);
        pthread_mutex_t* const mutex = &file.layout().locks[i].mutex;
        BOOST_REQUIRE_EQUAL(pthread_mutex_lock(mutex), 0);
        BOOST_REQUIRE(truncate(path.c_str(), 0) == 0);
        BOOST_TEST(pthread_mutex_unlock(mutex) == 0);
        CounterFile next(path);
        BOOST_TEST(pthread_mutex_lock(&next.layout().locks[i].mutex) == 0);
        BOOST_TEST(pthread_mutex_unlock(&next.layout().locks[i].mutex) == 0);
    }
}

BOOST_AUTO_TEST_CASE(other_bus_errors_end_the_process) {
    const std::string other = folder / "other";
    const CounterFile file(path);
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        const core::FileDescriptor empty(open(other.c_str(), O_RDWR | O_CREAT, 0600));
        _exit(*static_cast<volatile char*>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, empty.get(), 0)));
    }
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS));
}

BOOST_AUTO_TEST_CASE(a_sound_file_from_an_unknown_boot_is_kept) {
    CounterFile file(path);
    const ino_t inode = status_of(path).st_ino;
    change_header(file, [](Header& header) { header.boot_id[0] = '\0'; });
    const CounterFile again(path);
    BOOST_TEST(status_of(path).st_ino == inode);
}

BOOST_AUTO_TEST_CASE(running_limiters_follow_a_file_that_was_deleted_truncated_or_damaged) {
    const std::function<void()> harms[] = {
        [&] { std::filesystem::remove(path); },
        [&] { BOOST_REQUIRE(truncate(path.c_str(), 0) == 0); },
        [&] { std::ofstream(path, std::ios::in | std::ios::out) << "damaged"; },
    };
    for (const auto& harm : harms) {
        SharedMemoryLimiter first(path, clock, patience), second(path, clock, patience);  // each looks at its first count
        harm();
        BOOST_TEST(first.count("class", "key", per_minute(2)).remaining == 1u);
        BOOST_TEST(second.count("class", "key", per_minute(2)).remaining == 0u);
        BOOST_TEST(!SharedMemoryLimiter(path, clock, patience).count("class", "key", per_minute(2)).allowed);
        std::filesystem::remove(path);
    }
}

BOOST_AUTO_TEST_CASE(the_file_is_looked_at_again_and_again) {
    SharedMemoryLimiter limiter(path, clock, patience);
    limiter.count("class", "key", per_minute(1));
    std::filesystem::remove(path);
    while (!std::filesystem::exists(path)) limiter.count("class", "key", per_minute(1));
    BOOST_TEST(!SharedMemoryLimiter(path, clock, patience).count("class", "key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(a_truncated_file_that_cannot_be_made_again_lets_requests_through) {
    SharedMemoryLimiter limiter(path, clock, patience);
    BOOST_REQUIRE(truncate(path.c_str(), 0) == 0);
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    const CapturedLog log;
    for (int i = 0; i < 3; ++i) BOOST_TEST(limiter.count("class", "key", per_minute(1)).remaining == 1u);
    BOOST_TEST(log.lines_with(path) == 1);
}

BOOST_AUTO_TEST_CASE(a_damaged_lock_gets_the_file_replaced) {
    CounterFile file(path);
    SharedMemoryLimiter limiter(path, clock, patience);
    for (Lock& lock : file.layout().locks) {
        pthread_mutex_destroy(&lock.mutex);
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&lock.mutex, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    // Their holder dies, and the next one does not repair them: no lock can ever be had again.
    const pid_t child = in_child([&] {
        for (Lock& lock : file.layout().locks) pthread_mutex_lock(&lock.mutex);
        return 0;
    });
    BOOST_REQUIRE(exit_code(child) == 0);
    for (Lock& lock : file.layout().locks) {
        BOOST_REQUIRE(pthread_mutex_lock(&lock.mutex) == EOWNERDEAD);
        pthread_mutex_unlock(&lock.mutex);
    }
    const CapturedLog log;
    BOOST_TEST(limiter.count("class", "key", per_minute(1)).allowed);
    BOOST_TEST(log.lines_with("level=warning") == 1);
    BOOST_CHECK(file.state() == State::replaced);
    SharedMemoryLimiter fresh(path, clock, patience);
    BOOST_TEST(fresh.count("class", "key", per_minute(1)).allowed);
    BOOST_TEST(!fresh.count("class", "key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_SUITE_END()
