#include "resource/feed/handlers.h"

#include <charconv>

#include "api/check.h"
#include "api/write.h"
#include "http/error.h"
#include "resource/feed/body.h"
#include "resource/feed/writing.h"

namespace tradepost::feeds {

// nginx tells the length in a header of its own; a chunked body has none.
http::Response check_feed(api::Call& call) {
    const auto text = call.request.header("x-upload-length").value_or("");
    std::uint64_t length = most_bytes;
    if (!text.empty() && std::from_chars(text.data(), text.data() + text.size(), length).ec != std::errc())
        throw http::forbidden();
    api::check_turn(call, turn_key(read_options(call).organisation_id), most_waiting);
    api::check_spool(call, length);
    return http::data("{}");
}

Options read_options(const api::Call& call) {
    Options options;
    options.complete = call.query.is_second("mode", "merge", "complete");
    options.skip_failures = call.query.is_second("onError", "abort", "skip");
    options.dry_run = call.query.is_second("dryRun", "false", "true");
    options.organisation_id = api::queried_organisation(call);
    return options;
}

void check_options(api::Call& call) {
    read_options(call);
}

}  // namespace tradepost::feeds
