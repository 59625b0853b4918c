// One FastCGI exchange without a web server: hand-made records go in through a real socket, what libfcgi answers comes out.
#pragma once
#include <fcgiapp.h>

#include <future>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tradepost::test {

// Records of request 1 (the FastCGI specification, section 3.3); `content` of at most 65535 bytes.
enum class RecordType : unsigned char {
    begin_request = 1,
    abort_request = 2,
    end_request = 3,
    params = 4,
    stdin_stream = 5,
    stdout_stream = 6
};
std::string record(RecordType type, std::string_view content);

// BEGIN_REQUEST for a responder, one request a connection.
std::string begin_request();

// The parameters and the end of their stream.
std::string params(const std::vector<std::pair<std::string, std::string>>& pairs);

// A body in as many records as it needs, and the end of its stream.
std::string body(std::string_view bytes);

class FastcgiExchange {
public:
    FastcgiExchange();
    ~FastcgiExchange();
    FastcgiExchange(const FastcgiExchange&) = delete;

    // Sends `bytes` as a web server that then falls silent for ever, and lets libfcgi accept what they make. False when it
    // refuses them.
    bool accept(std::string bytes);

    FCGX_Request& request() { return request_; }

    // Ends the exchange; returns what came on standard output. False in `whole` when no END_REQUEST came.
    std::string finish(bool* whole = nullptr);

private:
    void serve(std::string bytes);

    int listening_ = -1, peer_ = -1;
    FCGX_Request request_{};
    std::future<void> server_;
    std::string answer_;
};

}  // namespace tradepost::test
