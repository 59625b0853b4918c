// Keeps what is no error out of the log while it lives: for tests that send many requests. Others test what is logged.
#pragma once
#include "core/log.h"

namespace tradepost::test {

struct Quiet {
    Quiet() { core::log::set_level(core::log::Level::error); }
    ~Quiet() { core::log::set_level(core::log::Level::info); }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
};

}  // namespace tradepost::test
