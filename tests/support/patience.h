// The product's limits on waiting as the tests set them: see patient.settings.
#pragma once
#include <string>

#include "core/config.h"

namespace tradepost::test {

// All defaults, but for the settings of tests/support/patient.settings. The working directory is the project's root.
core::Config patient_config();

// `database` with the default limits of the product, for tests of a database that hangs.
core::Config::Database impatient(core::Config::Database database);

// The file as lines of SETTINGS for a private stack.
std::string patient_settings();

}  // namespace tradepost::test
