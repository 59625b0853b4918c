#include "core/file_descriptor.h"

#define BOOST_TEST_DYN_LINK
#include <fcntl.h>

#include <boost/test/unit_test.hpp>

using tradepost::core::FileDescriptor;

namespace {

FileDescriptor opened() {
    return FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool is_open(int number) {
    return fcntl(number, F_GETFD) != -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(core_file_descriptor)

BOOST_AUTO_TEST_CASE(closes_once_whoever_owns_it) {
    int number = -1;
    {
        FileDescriptor first = opened();
        BOOST_REQUIRE(first);
        number = first.get();
        FileDescriptor second(std::move(first));
        BOOST_TEST(!first);
        BOOST_TEST(second.get() == number);
        BOOST_TEST(is_open(number));
    }
    BOOST_TEST(!is_open(number));
}

BOOST_AUTO_TEST_CASE(assignment_closes_the_old_one) {
    FileDescriptor file = opened();
    const int old = file.get();
    file = opened();
    BOOST_TEST(!is_open(old));
    BOOST_TEST(is_open(file.get()));
    file.reset();
    BOOST_TEST(!file);
    BOOST_TEST(!FileDescriptor());
}

BOOST_AUTO_TEST_SUITE_END()
