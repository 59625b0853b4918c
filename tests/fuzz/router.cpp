// Any path finds a row of the table whose literal segments it has, or none.
#include "http/router.h"

#include <cstdint>
#include <cstdlib>

#include "core/text.h"
#include "http/query.h"

using namespace tradepost;
using namespace tradepost::http;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

const Router& example() {
    static const Router router = [] {
        Router r;
        std::size_t row = 0;
        for (const char* path : {"/healthz", "/api/v1/jobs/{idOrSlug}", "/api/v1/jobs", "/api/v1/stock/by-reference/{reference}",
                                 "/api/v1/stock/{id}", "/api/v1/{a}/{b}/{c}"})
            for (const char* method : {"GET", "PATCH"}) r.add(method, path, row++);
        return r;
    }();
    return router;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view path(reinterpret_cast<const char*>(data), size);
    const auto match = example().match(path);
    if (!match) return 0;
    // Filled in again, the pattern is the path.
    std::string filled;
    std::size_t next = 0;
    for (std::string_view rest = example().pattern(*match); !rest.empty();) {
        const auto end = std::min(rest.find('/', 1), rest.size());
        const auto segment = rest.substr(1, end - 1);
        filled += '/';
        filled += segment.starts_with('{') ? percent_encode(match->parameters.at(next++)) : std::string(segment);
        rest.remove_prefix(end);
    }
    require(next == match->parameters.size());
    require(percent_decode(filled, false) == percent_decode(path, false));
    for (const auto& parameter : match->parameters)
        require(!parameter.empty() && core::is_utf8(parameter) && parameter.find('\0') == std::string::npos);
    require(example().row(*match, "GET") == example().row(*match, "HEAD"));
    require(example().allow(*match) == "GET, HEAD, PATCH, OPTIONS");
    const auto again = example().match(filled);
    require(again && again->resource == match->resource && again->parameters == match->parameters);
    return 0;
}
