// Bytes to a stack's port, over TLS: for what a well-behaved client would not send.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "support/http_client.h"

namespace tradepost::test {

class RawConnection {
public:
    // Connects, over plain TCP when `tls` is false. Throws std::runtime_error when that fails.
    explicit RawConnection(const Site& site, bool tls = true, const std::string& address = fresh_address());
    ~RawConnection();
    RawConnection(const RawConnection&) = delete;
    RawConnection& operator=(const RawConnection&) = delete;

    // What could be sent before the server closed the connection.
    std::size_t send(std::string_view bytes);
    // All that comes until the server closes, or until the time is over.
    std::string read_to_end(std::chrono::seconds limit = std::chrono::seconds(20));
    // Until what has come ends with `end`. For a server that keeps the connection open after its answer.
    std::string read_until(std::string_view end, std::chrono::seconds limit = std::chrono::seconds(20));
    void close();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Sends `bytes` on a connection of its own and reads the HTTP/1.1 answer. Status 0: the server closed without one.
Answer raw_exchange(const Site& site, std::string_view bytes, bool tls = true);

}  // namespace tradepost::test
