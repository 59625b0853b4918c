// The second stack of the end-to-end tests, for what needs other settings or ends it.
#include <filesystem>

#include "support/started_stack.h"

namespace tradepost::test {
namespace {

// Limits on waiting are shorter than its deadline. Its processes keep their connections to the database: each may have all that it wants.
StartedStack& started() {
    static StartedStack one(std::filesystem::path(stack().state()).parent_path().string() + "/e2e-own",
                            "rate_limits.public = \"5/10s\"\nrate_limits.auth = \"3/4s\"\nrate_limits.write = \"1000000/1m\"\n"
                            "http.deadline_s = 5\ndatabase.idle_s = 3600\ndatabase.max_connections = 60\ndatabase.lock_wait_ms = "
                            "3000\nsearch.timeout_ms = 3000\nhttp.share_wait_s = "
                            "3\nauth.longest_queue_s = "
                            "3\nhttp.trusted_proxies = [\"" +
                                std::string(trusted_proxy) +
                                "\"]\nlimits.organisation_stock = 10000\nlimits.organisation_posts = 10\nsecurity.contact = "
                                "[\"mailto:security@example.com\", \"https://example.com/report\"]\n"
                                "security.policy = \"https://example.com/policy\"");
    return one;
}

}  // namespace

std::vector<std::string> own_stack_variables() {
    return started().variables();
}

Stack& own_stack() {
    return started().get();
}

int stop_own_stack() {
    return started().stop();
}

}  // namespace tradepost::test
