#include "net/client.h"

#include <curl/curl.h>
#include <strings.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <stdexcept>

namespace tradepost::net {
namespace {

struct Exchange {
    const Rules& rules;
    const Request& request;
    bool tls;
    Answer answer;
    std::size_t received = 0;
    bool too_large = false;
    bool reached_for = false;  // an address that may be reached was tried
};

// libcurl asks for a socket to each address that it is about to connect to, in any order. When a host has one that may be reached, what came
// of that is the answer, and the others are as if it did not have them.
curl_socket_t open_checked(void* data, curlsocktype, curl_sockaddr* to) {
    auto& exchange = *static_cast<Exchange*>(data);
    const auto address = address_of(to->addr);
    const bool allowed = address && (exchange.rules.allowed.contain(*address) || (exchange.tls && is_public(*address)));
    if (!allowed) {
        exchange.answer.refused = !exchange.reached_for;
        return CURL_SOCKET_BAD;
    }
    exchange.reached_for = true;
    exchange.answer.refused = false;
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

std::size_t take(char* bytes, std::size_t, std::size_t count, void* data) {
    auto& exchange = *static_cast<Exchange*>(data);
    exchange.received += count;
    exchange.too_large = exchange.received > exchange.request.most_bytes;
    if (exchange.too_large) return 0;
    if (!exchange.request.status_only) exchange.answer.body.append(bytes, count);
    return count;
}

std::string explain(const Exchange& exchange, CURLcode code, const char* text) {
    if (exchange.answer.refused)
        return exchange.tls ? "the address is not a public one" : "http is not allowed to this address: use https";
    if (exchange.too_large) return "the answer is larger than " + std::to_string(exchange.request.most_bytes) + " bytes";
    switch (code) {
        case CURLE_OPERATION_TIMEDOUT:
            return "no answer within " + std::to_string(exchange.request.time_limit.count() / 1000) + " seconds";
        case CURLE_COULDNT_RESOLVE_HOST:
            return "the host's name is not known";
        case CURLE_COULDNT_CONNECT:
            return "the connection was refused";
        case CURLE_PEER_FAILED_VERIFICATION:
            return std::string("the certificate is not valid: ") + (*text ? text : curl_easy_strerror(code));
        default:
            return curl_easy_strerror(code);
    }
}

void init_once() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

}  // namespace

Answer perform(const Rules& rules, const Request& request) {
    init_once();
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle(curl_easy_init(), curl_easy_cleanup);
    if (!handle) throw std::runtime_error("libcurl cannot be used");
    auto* const curl = handle.get();
    Exchange exchange{rules, request, strncasecmp(request.url.c_str(), "https:", 6) == 0, {}};
    curl_slist* list = nullptr;
    for (const auto& header : request.headers) list = curl_slist_append(list, header.c_str());
    const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list, curl_slist_free_all);
    char text[CURL_ERROR_SIZE] = {};

    curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https,http");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NETRC, long(CURL_NETRC_IGNORED));
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_checked);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &exchange);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, long(request.time_limit.count()));
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "Tradepost");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchange);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, text);
    if (!rules.ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, rules.ca_file.c_str());
    if (request.post) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.post->size()));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.post->c_str());
    }
    const CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK && !(exchange.too_large && request.status_only)) {
        exchange.answer.failure = explain(exchange, code, text);
        exchange.answer.too_large = exchange.too_large;
        if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT) exchange.answer.refused = true;
        return std::move(exchange.answer);
    }
    exchange.answer.refused = false;  // of another address of the host
    long status = 0;
    const char* type = nullptr;
    curl_off_t retry_after = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &type);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after);
    exchange.answer.status = int(status);
    if (retry_after > 0) exchange.answer.retry_after = std::chrono::seconds(retry_after);
    exchange.answer.content_type = type ? type : "";
    const char* location = nullptr;
    curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
    exchange.answer.location = location ? location : "";
    return std::move(exchange.answer);
}

}  // namespace tradepost::net
