#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE e2e
#include <boost/test/unit_test.hpp>

#include "support/fault_injection.h"
#include "support/until_served.h"

namespace {

struct NothingStaysBehind {
    ~NothingStaysBehind() {
        tradepost::test::stop_own_stack();
        tradepost::test::stop_fault_injection_stack();
    }
};

struct FewRepeats {
    void teardown() {
        const int repeats = tradepost::test::counted_repeats();
        BOOST_TEST(repeats <= tradepost::test::most_repeats,
                   repeats << " requests were repeated after a 503. At most " << tradepost::test::most_repeats
                           << " are allowed: the product refuses too much, or the machine is too slow");
    }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(NothingStaysBehind);
BOOST_TEST_GLOBAL_FIXTURE(FewRepeats);
