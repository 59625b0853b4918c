#include "resources/feeds/options.h"

#include "api/write.h"
#include "http/error.h"

namespace tradepost::feeds {
namespace {

// Whether the parameter has the second of its two values; left out it has the first.
bool is_second(const http::Query& query, std::string_view name, std::string_view first, std::string_view second) {
    const auto value = query.filter(name).value_or(first);
    if (value != first && value != second) throw http::invalid_query();
    return value == second;
}

}  // namespace

Options read_options(const api::Call& call) {
    Options options;
    options.complete = is_second(call.query, "mode", "merge", "complete");
    options.skip_failures = is_second(call.query, "onError", "abort", "skip");
    options.dry_run = is_second(call.query, "dryRun", "false", "true");
    options.organisation_id = api::queried_organisation(call);
    return options;
}

void check_options(api::Call& call) {
    read_options(call);
}

}  // namespace tradepost::feeds
