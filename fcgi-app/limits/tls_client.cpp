#include "limits/tls_client.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace tradepost::limits {
namespace {

// The reason of the last failure of this thread.
std::string reason(const SSL* ssl, int result) {
    const int error = SSL_get_error(ssl, result);
    if (const long verified = SSL_get_verify_result(ssl); verified != X509_V_OK)
        return std::string("the certificate is refused: ") + X509_verify_cert_error_string(verified);
    // The socket's time-out.
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return "no answer in time";
    if (const auto code = ERR_peek_error()) {
        const char* text = ERR_reason_error_string(code);
        return std::string("TLS: ") + (text ? text : "unknown error");
    }
    return error == SSL_ERROR_SYSCALL && errno ? std::strerror(errno) : "the server ended the connection";
}

bool is_address(const std::string& host) {
    unsigned char bytes[16];
    return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

}  // namespace

TlsClient::TlsClient(const std::string& ca_file) : context_(SSL_CTX_new(TLS_client_method())) {
    if (!context_) throw std::bad_alloc();
    auto* const context = context_.get();
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    ERR_clear_error();
    const bool read = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context) == 1
                                      : SSL_CTX_load_verify_file(context, ca_file.c_str()) == 1;
    if (!read) throw std::runtime_error(ca_file + ": no certificates of CAs could be read");
}

TlsSession TlsClient::begin(int socket, const std::string& host) const {
    TlsSession session;
    session.ssl_.reset(SSL_new(context_.get()));
    auto* const ssl = session.ssl_.get();
    if (!ssl || SSL_set_fd(ssl, socket) != 1) throw std::bad_alloc();
    const bool named = is_address(host)
                           ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1
                           : SSL_set1_host(ssl, host.c_str()) == 1 && SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
    if (!named) throw std::runtime_error("no certificate can be for " + host);
    ERR_clear_error();
    errno = 0;
    if (const int result = SSL_connect(ssl); result != 1) throw std::runtime_error(reason(ssl, result));
    return session;
}

void TlsSession::send_all(std::string_view bytes) {
    ERR_clear_error();
    errno = 0;
    // Without partial writes, which nobody asked for, all is sent or nothing.
    if (const int result = SSL_write(ssl_.get(), bytes.data(), int(bytes.size())); result <= 0)
        throw std::runtime_error(reason(ssl_.get(), result));
}

std::size_t TlsSession::receive(char* into, std::size_t size) {
    ERR_clear_error();
    errno = 0;
    const int result = SSL_read(ssl_.get(), into, int(size));
    if (result <= 0 && SSL_get_error(ssl_.get(), result) == SSL_ERROR_ZERO_RETURN) return 0;
    if (result <= 0) throw std::runtime_error(reason(ssl_.get(), result));
    return std::size_t(result);
}

}  // namespace tradepost::limits
