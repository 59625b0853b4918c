#include "core/log.h"

#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

using namespace tradepost::core;

namespace {

// Standard error as it was written while this lives.
class StandardError {
public:
    StandardError() : old_(dup(STDERR_FILENO)) {
        BOOST_REQUIRE(pipe2(pipe_, O_NONBLOCK) == 0);
        dup2(pipe_[1], STDERR_FILENO);
    }
    ~StandardError() { restore(); }
    StandardError(const StandardError&) = delete;

    // What came since the last call.
    std::string text() {
        std::string out(65536, '\0');
        const auto got = read(pipe_[0], out.data(), out.size());
        out.resize(got > 0 ? std::size_t(got) : 0);
        return out;
    }
    // Nobody reads any more: every write fails.
    void break_it() { dup2(broken(), STDERR_FILENO); }

private:
    static int broken() {
        static const int descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC);
        return descriptor;
    }
    void restore() {
        dup2(old_, STDERR_FILENO);
        for (const int descriptor : {old_, pipe_[0], pipe_[1]}) close(descriptor);
    }
    int old_;
    int pipe_[2];
};

std::string line_with(std::string_view value) {
    StandardError error;
    log::info("test", {{"value", value}});
    return error.text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(logging)

BOOST_AUTO_TEST_CASE(a_line_is_logfmt) {
    StandardError error;
    log::warning("slow", {{"route", "/api/v1/jobs/{idOrSlug}"},
                          {"status", 200},
                          {"bytes", std::size_t(18446744073709551615u)},
                          {"id", std::string("a-1")}});
    BOOST_TEST(error.text() ==
               "level=warning event=slow route=/api/v1/jobs/{idOrSlug} status=200 bytes=18446744073709551615 id=a-1\n");
    log::error("two words");
    BOOST_TEST(error.text() == "level=error event=\"two words\"\n");
}

BOOST_AUTO_TEST_CASE(values_are_quoted_when_they_need_it) {
    BOOST_TEST(line_with("") == "level=info event=test value=\"\"\n");
    BOOST_TEST(line_with("a b") == "level=info event=test value=\"a b\"\n");
    BOOST_TEST(line_with("a=b") == "level=info event=test value=\"a=b\"\n");
    BOOST_TEST(line_with("say \"no\"") == "level=info event=test value=\"say \\\"no\\\"\"\n");
    BOOST_TEST(line_with("back\\slash") == "level=info event=test value=\"back\\\\slash\"\n");
    BOOST_TEST(line_with("caf\xC3\xA9") == "level=info event=test value=caf\xC3\xA9\n");
    BOOST_TEST(line_with("caf\xC3\xA9 au lait") == "level=info event=test value=\"caf\xC3\xA9 au lait\"\n");
}

BOOST_AUTO_TEST_CASE(control_characters_never_leave_their_line) {
    BOOST_TEST(line_with("a\nlevel=error event=forged") == "level=info event=test value=\"a\\nlevel=error event=forged\"\n");
    BOOST_TEST(line_with("a\r\n") == "level=info event=test value=\"a\\x0d\\n\"\n");
    BOOST_TEST(line_with("\x1b[2J\x7f") == "level=info event=test value=\"\\x1b[2J\\x7f\"\n");
    BOOST_TEST(line_with(std::string_view("a\0b", 3)) == "level=info event=test value=\"a\\x00b\"\n");
    for (int c = 0; c < 256; ++c) {
        const auto line = line_with(std::string("x") + char(c) + "y");
        BOOST_TEST(line.find('\n') == line.size() - 1);
        BOOST_TEST(std::count_if(line.begin(), line.end(), [](unsigned char b) { return b < ' ' || b == 0x7f; }) == 1);
    }
}

// The journal shows a line that is no UTF-8 as "blob data" only.
BOOST_AUTO_TEST_CASE(what_is_no_utf8_is_escaped) {
    BOOST_TEST(line_with("a\xFFz") == "level=info event=test value=\"a\\xffz\"\n");
    BOOST_TEST(line_with("\xC3") == "level=info event=test value=\"\\xc3\"\n");
}

BOOST_AUTO_TEST_CASE(lines_below_the_level_are_not_written) {
    StandardError error;
    log::debug("hidden");
    BOOST_TEST(error.text() == "");
    log::set_level(log::Level::debug);
    log::debug("seen");
    BOOST_TEST(error.text() == "level=debug event=seen\n");
    log::set_level(log::Level::error);
    log::warning("hidden");
    log::error("seen");
    BOOST_TEST(error.text() == "level=error event=seen\n");
    log::set_level(log::Level::info);
}

BOOST_AUTO_TEST_CASE(a_full_disk_fails_nobody) {
    StandardError error;
    error.break_it();
    log::error("lost", {{"value", "x"}});
}

BOOST_AUTO_TEST_SUITE_END()
