// For tests that send requests to whole applications, each with a connection of its own, on the data of the .case files.
#pragma once
#include "app.h"
#include "support/database.h"
#include "support/fixture.h"
#include "support/patience.h"
#include "support/quiet.h"

namespace tradepost::test {

struct Unlimited : limits::Limiter {
    limits::Verdict count(std::string_view, std::string_view, core::Rate, limits::Use) noexcept override {
        return {true, 120, 119, 60};
    }
};

struct ApplicationFixture {
    Quiet quiet;
    MigratedDatabase database;
    core::Config config = patient_config();
    Unlimited limiter;

    ApplicationFixture() {
        config.database = database.config();
        db::Connection connection(config.database);
        load_fixture(connection, "tests/api/fixture");
    }
};

}  // namespace tradepost::test
