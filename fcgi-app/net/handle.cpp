#include "net/handle.h"

#include <memory>

#include "core/outgoing.h"
#include "core/url.h"
#include "net/address.h"
#include "net/resolver.h"

namespace tradepost::net {
namespace {

using Clock = std::chrono::steady_clock;
using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// Empty when there is no such part.
std::string part(const Url& url, CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url.get(), which, &text, flags) != CURLUE_OK) return {};
    std::string copy(text);
    curl_free(text);
    return copy;
}

// Whether libcurl takes it for an address: brackets only hold one, and it writes all forms of IPv4 addresses as four numbers.
bool is_address(const std::string& host) {
    return host.starts_with('[') || parse_address(host).has_value();
}

// An entry for libcurl's cache of names.
std::string entry(const std::string& host, const std::string& port, const std::vector<std::string>& addresses) {
    std::string text = host + ":" + port + ":";
    for (const auto& address : addresses)
        text.append(&address == &addresses.front() ? "" : ",")
            .append(address.find(':') == std::string::npos ? address : "[" + address + "]");
    return text;
}

// Called when libcurl is about to resolve a name itself, without a time limit.
int refuse_to_resolve(void*, void*, void*) {
    return 1;
}

}  // namespace

void trust(CURL* handle, const std::string& ca_file) {
    if (ca_file.empty()) return;
    curl_easy_setopt(handle, CURLOPT_CAINFO, ca_file.c_str());
    curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);  // its default is the system's, beside the file
}

CURLcode perform(CURL* handle, const std::string& text, std::chrono::milliseconds limit) {
    if (core::outgoing_is_forbidden) throw Forbidden(core::nothing_is_sent);
    const auto deadline = Clock::now() + limit;
    const Url url(curl_url(), curl_url_cleanup);
    if (!url) return CURLE_OUT_OF_MEMORY;
    // libcurl would convert a name with the process's locale, which is C.
    const auto address = core::wire_url(text);
    if (!address || curl_url_set(url.get(), CURLUPART_URL, address->c_str(), 0) != CURLUE_OK) return CURLE_URL_MALFORMAT;
    const auto host = part(url, CURLUPART_HOST);
    if (host.empty()) return CURLE_UNSUPPORTED_PROTOCOL;  // file:///…
    curl_easy_setopt(handle, CURLOPT_URL, address->c_str());
    std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> names(nullptr, curl_slist_free_all);
    if (!is_address(host)) {
        const auto found = resolve(host, deadline);
        if (found.addresses.empty()) return found.timed_out ? CURLE_OPERATION_TIMEDOUT : CURLE_COULDNT_RESOLVE_HOST;
        names.reset(
            curl_slist_append(nullptr, entry(host, part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT), found.addresses).c_str()));
        if (!names) return CURLE_OUT_OF_MEMORY;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return CURLE_OPERATION_TIMEDOUT;
    curl_easy_setopt(handle, CURLOPT_RESOLVE, names.get());
    curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, names ? refuse_to_resolve : nullptr);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, long(left.count()));
    const auto code = curl_easy_perform(handle);
    curl_easy_setopt(handle, CURLOPT_RESOLVE, nullptr);
    return code;
}

}  // namespace tradepost::net
