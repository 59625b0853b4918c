// A client of a running stack: libcurl with an address of its own, so that a test has rate-limit windows of its own.
#pragma once
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/process.h"

namespace tradepost::test {

using Headers = std::vector<std::pair<std::string, std::string>>;

// Where a stack listens, and the certificate it shows.
struct Site {
    std::string url;  // https://localhost:PORT
    std::string ca_file;
    int port() const;
};

struct Answer {
    int status = 0;  // 0: no answer came, and `failure` says why
    std::string failure;
    std::string version;  // "1.1" or "2"
    Headers headers;      // names in lower case
    std::string body;

    std::optional<std::string> header(std::string_view name) const;  // name in lower case; the first
    std::size_t count(std::string_view name) const;
    nlohmann::json json() const;  // discarded() when the body is no JSON
    std::string error() const;    // of a body {"error": "…"} with exactly this member, else empty
};

struct Message {
    std::string method = "GET";
    std::string target = "/";  // sent as it stands, dot segments too
    Headers headers{};         // an empty value removes what curl would send; names are sent as they stand
    std::optional<std::string> body{};
    bool chunked = false;  // without a Content-Length (HTTP/1.1)
    bool http2 = true;
    bool gzip = false;                 // asks for it and leaves the body as it was sent decoded
    std::chrono::seconds timeout{40};  // times TRADEPOST_TEST_SLOW
};

// An address of 127/8 that no other call of this process got, at random so that runs against one stack do not meet.
std::string fresh_address();

// One connection, kept alive between requests. Not for two threads at once. Every answer is logged for the comparison with
// openapi.yaml (answer_log.h), those that differ in nothing but their body once.
class Client {
public:
    explicit Client(Site site, std::string address = fresh_address());
    ~Client();
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;

    Answer send(const Message& message);
    Answer get(const std::string& target, Headers headers = {});
    Answer post(const std::string& target, const std::string& json, Headers headers = {});

    const std::string& address() const;
    const Site& site() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

Headers bearer(const std::string& token);

}  // namespace tradepost::test
