// Whatever a web server sends, a request has exactly the body that was announced, or there is none.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "fcgi/message.h"
#include "support/fastcgi_exchange.h"

using namespace tradepost;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

void require_request(FCGX_Request& exchange) {
    const auto request = fcgi::read_request(exchange);
    if (!request) return;
    const char* announced = FCGX_GetParam("CONTENT_LENGTH", exchange.envp);
    require(request->body_too_large ? request->body.empty()
                                    : request->body.size() == (announced ? std::strtoull(announced, nullptr, 10) : 0));
    for (const auto& [name, value] : request->headers) {
        require(std::none_of(name.begin(), name.end(), [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); }));
        require(std::count_if(request->headers.begin(), request->headers.end(),
                              [&n = name](const auto& h) { return h.first == n; }) == 1);
    }
    http::Response response;
    response.body = request->body.substr(0, 1000);
    fcgi::write_response(exchange, response);
}

}  // namespace

// libfcgi forgets a management record's names when they are cut off; no web server of ours sends such records.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libfcgi";
}

// The first byte says what goes before the rest: nothing, or the beginning of a good request, so that not all inputs end there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
    std::string bytes;
    if (data[0] % 4 >= 1) bytes += test::begin_request();
    if (data[0] % 4 >= 2) {
        const auto half = rest.size() / 2;
        bytes += test::params({{"REQUEST_METHOD", "POST"},
                               {"CONTENT_LENGTH", std::to_string(data[0] / 4)},
                               {"HTTP_" + rest.substr(0, half % 300), rest.substr(half)}});
    }
    if (data[0] % 4 == 3)
        bytes += test::body(rest.substr(0, 65000));
    else
        bytes += rest;
    test::FastcgiExchange exchange;
    if (exchange.accept(bytes)) require_request(exchange.request());
    exchange.finish();
    return 0;
}
