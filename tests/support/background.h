// What tradepost-deliver does in the background, for tests that run without it.
#pragma once
#include "db/connection.h"

namespace tradepost::test {

// Does what follows from renamed organisations and deleted integrations, to the end. Throws std::runtime_error for what was not done.
void do_background_work(db::Connection& connection);

}  // namespace tradepost::test
