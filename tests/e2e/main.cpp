#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE e2e
#include <boost/test/unit_test.hpp>

#include "support/fault_injection.h"

namespace {

struct NothingStaysBehind {
    ~NothingStaysBehind() {
        tradepost::test::stop_own_stack();
        tradepost::test::stop_fault_injection_stack();
    }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(NothingStaysBehind);
