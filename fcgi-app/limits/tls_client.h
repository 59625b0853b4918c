// TLS to a server whose certificate is verified, for the Redis store: the hiredis of Debian 12 has none.
#pragma once
#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

namespace tradepost::limits {

// A connection's TLS over a blocking socket with time-outs, which it does not own. What throws, throws std::runtime_error with the
// reason; the connection cannot be used any more then.
class TlsSession {
public:
    void send_all(std::string_view bytes);
    std::size_t receive(char* into, std::size_t size);  // 0: the server has ended it

private:
    friend class TlsClient;
    struct Freer {
        void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
    };
    std::unique_ptr<SSL, Freer> ssl_;
};

class TlsClient {
public:
    // The certificates of CAs in the PEM file `ca_file`, or the system's when it is empty. Throws std::runtime_error, which names
    // the file, when there are none.
    explicit TlsClient(const std::string& ca_file);

    // The handshake on a connected socket: TLS 1.2 or later, and a valid certificate of those CAs for `host`, a name or an address
    // (RFC 6125). Throws std::runtime_error with the reason.
    TlsSession begin(int socket, const std::string& host) const;

private:
    struct Freer {
        void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
    };
    std::unique_ptr<SSL_CTX, Freer> context_;
};

}  // namespace tradepost::limits
