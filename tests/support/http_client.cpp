#include "support/http_client.h"

#include <curl/curl.h>

#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>

#include "core/text.h"
#include "support/answer_log.h"

namespace tradepost::test {
namespace {

std::size_t take_body(char* data, std::size_t, std::size_t size, void* into) {
    static_cast<std::string*>(into)->append(data, size);
    return size;
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* into) {
    auto& answer = *static_cast<Answer*>(into);
    const std::string_view line = core::trim(std::string_view(data, size));
    if (line.starts_with("HTTP/")) {
        answer.headers.clear();  // those of 100 Continue are no part of the answer
        answer.version = line.substr(5, line.find(' ') - 5);
    } else if (const auto colon = line.find(':', 1); colon != std::string_view::npos) {
        answer.headers.emplace_back(core::lower_ascii(line.substr(0, colon)), core::trim(line.substr(colon + 1)));
    }
    return size;
}

struct Upload {
    const std::string* body;
    std::size_t sent = 0;
};

std::size_t give_body(char* into, std::size_t, std::size_t size, void* from) {
    auto& upload = *static_cast<Upload*>(from);
    const auto count = upload.body->copy(into, size, upload.sent);
    upload.sent += count;
    return count;
}

void log(const Message& message, const Answer& answer) {
    if (message.target.find("..") != std::string::npos) return;  // which path that is, nginx decides
    static std::mutex mutex;
    static std::set<std::string> seen;
    const std::lock_guard lock(mutex);
    if (!seen.insert(message.method + ' ' + message.target + ' ' + std::to_string(answer.status)).second) return;
    http::Request request;
    request.method = message.method;
    request.target = message.target;
    http::Response response;
    response.status = answer.status;
    response.body = answer.body;
    response.headers = answer.headers;
    log_answer(request, response, "e2e");
}

// Sent by curl as `Name: value`, `Name;` with an empty value, and `Name:` for "do not send it".
std::string as_curl_wants(const std::pair<std::string, std::string>& header) {
    return header.first + ":" + (header.second.empty() ? "" : " " + header.second);
}

}  // namespace

int Site::port() const {
    return std::stoi(url.substr(url.rfind(':') + 1));
}

std::optional<std::string> Answer::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (key == name) return value;
    return {};
}

std::size_t Answer::count(std::string_view name) const {
    std::size_t found = 0;
    for (const auto& [key, value] : headers) found += key == name;
    return found;
}

nlohmann::json Answer::json() const {
    return nlohmann::json::parse(body, nullptr, false);
}

std::string Answer::error() const {
    const auto document = json();
    if (!document.is_object() || document.size() != 1 || !document.contains("error") || !document["error"].is_string()) return {};
    return document["error"];
}

std::string fresh_address() {
    static std::atomic<std::uint32_t> next{std::random_device{}()};
    // Not 127.0.x.x and not the last of a network: those are others'.
    const std::uint32_t number = next++;
    return "127." + std::to_string(1 + number / 64516 % 76) + "." + std::to_string(number / 254 % 254) + "." +
           std::to_string(1 + number % 254);
}

Headers bearer(const std::string& token) {
    return {{"Authorization", "Bearer " + token}};
}

struct Client::Impl {
    Site site;
    std::string address;
    // Each has connections of its own: libcurl would send a request for HTTP/2 over an open connection that speaks HTTP/1.1.
    CURL *http1 = curl_easy_init(), *http2 = curl_easy_init();
};

Client::Client(Site site, std::string address) {
    static const auto initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (initialised != CURLE_OK) throw std::runtime_error("libcurl cannot start");
    impl_ = std::make_unique<Impl>(Impl{std::move(site), std::move(address)});
}
Client::~Client() {
    if (!impl_) return;
    curl_easy_cleanup(impl_->http1);
    curl_easy_cleanup(impl_->http2);
}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&& other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
}

const std::string& Client::address() const {
    return impl_->address;
}
const Site& Client::site() const {
    return impl_->site;
}

Answer Client::send(const Message& message) {
    CURL* const curl = message.http2 ? impl_->http2 : impl_->http1;
    Answer answer;
    char failure[CURL_ERROR_SIZE] = "";
    curl_easy_reset(curl);
    const auto set = [&](CURLoption option, auto value) {
        if (curl_easy_setopt(curl, option, value) != CURLE_OK)
            throw std::runtime_error("libcurl refuses option " + std::to_string(option));
    };
    set(CURLOPT_URL, impl_->site.url.c_str());
    set(CURLOPT_REQUEST_TARGET, message.target.c_str());
    set(CURLOPT_CAINFO, impl_->site.ca_file.c_str());
    set(CURLOPT_NOPROXY, "*");
    const std::string interface = "host!" + impl_->address;
    set(CURLOPT_INTERFACE, interface.c_str());
    set(CURLOPT_IPRESOLVE, long(impl_->address.find(':') == std::string::npos ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6));
    set(CURLOPT_HTTP_VERSION, long(message.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_TIMEOUT, long(patient(message.timeout).count()));
    set(CURLOPT_ERRORBUFFER, failure);
    set(CURLOPT_WRITEFUNCTION, take_body);
    set(CURLOPT_WRITEDATA, &answer.body);
    set(CURLOPT_HEADERFUNCTION, take_header);
    set(CURLOPT_HEADERDATA, &answer);
    if (message.gzip) set(CURLOPT_ACCEPT_ENCODING, "gzip");

    Upload upload{message.body ? &*message.body : nullptr};
    if (message.method == "HEAD") set(CURLOPT_NOBODY, 1L);
    if (message.body && message.chunked) {
        set(CURLOPT_UPLOAD, 1L);
        set(CURLOPT_READFUNCTION, give_body);
        set(CURLOPT_READDATA, &upload);
    } else if (message.body) {
        set(CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(message.body->size()));
        set(CURLOPT_POSTFIELDS, message.body->c_str());
    }
    if (message.method != "HEAD") set(CURLOPT_CUSTOMREQUEST, message.method.c_str());
    curl_slist* list = curl_slist_append(nullptr, "Expect:");
    const bool typed = std::any_of(message.headers.begin(), message.headers.end(),
                                   [](const auto& h) { return core::lower_ascii(h.first) == "content-type"; });
    if (!typed) list = curl_slist_append(list, "Content-Type:");
    for (const auto& header : message.headers) list = curl_slist_append(list, as_curl_wants(header).c_str());
    set(CURLOPT_HTTPHEADER, list);

    const auto code = curl_easy_perform(curl);
    curl_slist_free_all(list);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    // A server may answer and close before it has read a body that it refuses.
    answer.status = code == CURLE_OK || code == CURLE_SEND_ERROR ? int(status) : 0;
    if (answer.status == 0) answer.failure = failure[0] ? failure : curl_easy_strerror(code);
    long version = 0;
    curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &version);
    if (answer.status != 0 && message.http2 && version != CURL_HTTP_VERSION_2_0)
        throw std::runtime_error("the answer did not come over HTTP/2");
    if (answer.status != 0) log(message, answer);
    return answer;
}

Answer Client::get(const std::string& target, Headers headers) {
    return send({.target = target, .headers = std::move(headers)});
}

Answer Client::post(const std::string& target, const std::string& json, Headers headers) {
    headers.emplace_back("Content-Type", "application/json");
    return send({.method = "POST", .target = target, .headers = std::move(headers), .body = json});
}

}  // namespace tradepost::test
