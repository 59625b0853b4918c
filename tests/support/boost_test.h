// Boost.Test, which is precompiled: the Makefile includes this file into every test.
#include <boost/test/unit_test.hpp>
