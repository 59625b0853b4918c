#include "core/present.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <optional>

using tradepost::core::present;

BOOST_AUTO_TEST_SUITE(core_present)

BOOST_AUTO_TEST_CASE(a_value_is_itself) {
    std::optional<int> value = 1;
    present(value) = 2;
    BOOST_TEST(value.value() == 2);
    BOOST_TEST(present(std::optional<int>(3)) == 3);
}

BOOST_AUTO_TEST_CASE(a_missing_one_is_a_fault_of_the_program) {
    const std::optional<int> none;
    BOOST_CHECK_THROW(present(none), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
