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

// Taken from the front of the input; the end of it reads as zeros.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}
    std::string text(std::size_t length) {
        const auto taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return std::string(taken);
    }
    std::size_t number() {
        const auto byte = text(1);
        return byte.empty() ? 0 : static_cast<unsigned char>(byte[0]);
    }
    bool done() const { return rest_.empty(); }

private:
    std::string_view rest_;
};

std::vector<std::pair<std::string, std::string>> parameters(Input& in) {
    static const char* const names[] = {"CONTENT_LENGTH",    "CONTENT_TYPE", "REQUEST_METHOD", "HTTP_COOKIE",
                                        "HTTP_CONTENT_TYPE", "HTTP_",        "HTTP_A",         "QUEUED_AT"};
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t count = in.number() % 8; count > 0; --count) {
        const auto kind = in.number() % 10;
        std::string name = kind < 8 ? names[kind] : kind == 8 ? "HTTP_" + in.text(in.number() % 8) : in.text(in.number());
        pairs.emplace_back(std::move(name), kind == 0 ? std::to_string(in.number()) : in.text(in.number()));
    }
    return pairs;
}

}  // namespace

// Well-formed records in any order, cut off anywhere: a web server may go away, but it does not lie to libfcgi about lengths,
// which believes them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using test::RecordType;
    Input in(data, size);
    const std::size_t cut = in.number() % 32;
    std::string bytes = test::begin_request() + test::params(parameters(in));
    while (!in.done()) {
        const auto kind = in.number() % 8;
        if (kind == 0) bytes += test::record(RecordType::abort_request, {});
        if (kind == 1) bytes += test::record(RecordType::stdin_stream, {});
        if (kind > 1) bytes += test::record(RecordType::stdin_stream, in.text(in.number()));
    }
    bytes += test::record(RecordType::stdin_stream, {});
    bytes.resize(bytes.size() - cut);
    test::FastcgiExchange exchange;
    if (exchange.accept(bytes)) require_request(exchange.request());
    exchange.finish();
    return 0;
}
