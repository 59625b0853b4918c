// tradepost-spool: which files it opens for others, and what it refuses.
#define BOOST_TEST_DYN_LINK
#include "files/spool.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/process.h"
#include "support/stack.h"

using namespace tradepost;
namespace fs = std::filesystem;

namespace {

// The program with a socket and a folder of its own.
struct Spool {
    Spool() {
        BOOST_REQUIRE(mkdtemp(path.data()));
        fs::create_directory(path + "/incoming");
        socket = path + "/socket";
        const auto listener = listening();
        process = fork();
        if (process == 0) {
            dup2(listener.get(), 0);
            const auto program = test::program_folder() + "/tradepost-spool", folder = path + "/incoming";
            execl(program.c_str(), "tradepost-spool", folder.c_str(), nullptr);
            _exit(127);
        }
    }
    ~Spool() {
        kill(process, SIGKILL);  // it may not have executed the program yet, and other tests handle SIGTERM
        test::wait_for(process);
        fs::remove_all(path);
    }
    core::FileDescriptor listening() const {
        core::FileDescriptor listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        const auto name = address();
        BOOST_REQUIRE_EQUAL(bind(listener.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
        BOOST_REQUIRE_EQUAL(listen(listener.get(), 8), 0);
        return listener;
    }
    sockaddr_un address() const {
        sockaddr_un name{};
        name.sun_family = AF_UNIX;
        socket.copy(name.sun_path, socket.size());
        return name;
    }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path + "/" + name) << text; }
    // The text of a file that was passed, or the number of the error.
    std::string ask(const std::string& name) const {
        try {
            const auto file = files::ask_spool(socket, name);
            char text[100];
            const auto got = read(file.get(), text, sizeof text);
            return got < 0 ? "unreadable" : std::string(text, std::size_t(got));
        } catch (const std::system_error& error) {
            return std::to_string(error.code().value());
        }
    }

    std::string path = "/tmp/tradepost-spool-XXXXXX", socket;
    pid_t process = -1;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(spool, Spool)

BOOST_AUTO_TEST_CASE(it_passes_regular_files_of_its_folder_alone) {
    write("incoming/0000000001", "a body");
    write("secret", "not a body");
    write("incoming/named", "not a body");
    fs::create_symlink(path + "/secret", path + "/incoming/2");
    fs::create_directory(path + "/incoming/3");
    BOOST_REQUIRE_EQUAL(mkfifo((path + "/incoming/4").c_str(), 0600), 0);
    BOOST_TEST(ask("0000000001") == "a body");
    BOOST_TEST(ask("5") == std::to_string(ENOENT));
    BOOST_TEST(ask("2") == std::to_string(ELOOP));
    for (const char* refused : {"3", "4", "named", "../secret", "1/", ".", "-1", "000000000000000000001"})
        BOOST_TEST(ask(refused) == std::to_string(EINVAL), refused);
    BOOST_TEST(ask("0000000001") == "a body");
}

BOOST_AUTO_TEST_CASE(a_client_that_says_nothing_holds_up_nobody_for_long) {
    write("incoming/1", "a body");
    const core::FileDescriptor silent(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const auto name = address();
    BOOST_REQUIRE_EQUAL(connect(silent.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    BOOST_TEST(ask("1") == "a body");
}

BOOST_AUTO_TEST_CASE(only_files_of_another_user_take_the_way_through_it) {
    write("incoming/1", "a body");
    BOOST_TEST(bool(files::open_spooled(path + "/incoming/1", "/nonexistent")));
    BOOST_CHECK_EXCEPTION(files::ask_spool("/nonexistent", "1"), std::system_error, [](const std::system_error& error) {
        return error.code() == std::errc::connection_refused &&
               std::string(error.what()).find("tradepost-spool does not answer at /nonexistent") == 0;
    });
}

BOOST_AUTO_TEST_SUITE_END()
