#include "net/client.h"

#include <curl/curl.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "core/said.h"
#include "net/handle.h"

namespace tradepost::net {
namespace {

constexpr std::size_t most_said = 4096;

struct Exchange {
    const Rules& rules;
    const Request& request;
    bool tls;
    Answer answer;
    std::size_t received = 0;
    std::string beginning = {};  // of the body
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
    if (exchange.beginning.size() < most_said) exchange.beginning.append(bytes, std::min(count, most_said));
    exchange.too_large = exchange.received > exchange.request.most_bytes;
    if (exchange.too_large) return 0;
    if (!exchange.request.status_only) exchange.answer.body.append(bytes, count);
    return count;
}

// libcurl's error is that of an address with another protocol.
bool is_no_http(std::string_view text) {
    return text.find("HTTP/0.9") != std::string_view::npos;
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
            return is_no_http(text) ? "the answer is not HTTP" : curl_easy_strerror(code);
    }
}

// From the slash behind the host on; empty when there is nothing else.
std::string path_of(const std::string& url) {
    const auto host = url.find("//");
    const auto path = host == std::string::npos ? host : url.find_first_of("/?#", host + 2);
    return path == std::string::npos || path + 1 == url.size() ? "" : url.substr(path);
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

    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https,http");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NETRC, long(CURL_NETRC_IGNORED));
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_checked);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &exchange);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "Tradepost");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchange);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, text);
    trust(curl, rules.ca_file);
    if (request.post) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.post->size()));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.post->c_str());
    }
    const CURLcode code = perform(curl, request.url, request.time_limit);
    if (code != CURLE_OK && !(exchange.too_large && request.status_only)) {
        exchange.answer.failure = explain(exchange, code, text);
        exchange.answer.too_large = exchange.too_large;
        const bool unusable = code == CURLE_URL_MALFORMAT || (code == CURLE_UNSUPPORTED_PROTOCOL && !is_no_http(text));
        exchange.answer.refused = exchange.answer.refused || unusable;
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
    auto secrets = request.secrets;
    secrets.push_back(path_of(request.url));
    exchange.answer.said = core::said(exchange.beginning, secrets);
    if (retry_after > 0) exchange.answer.retry_after = std::chrono::seconds(retry_after);
    exchange.answer.content_type = type ? type : "";
    const char* location = nullptr;
    curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &location);
    exchange.answer.location = location ? location : "";
    return std::move(exchange.answer);
}

}  // namespace tradepost::net
