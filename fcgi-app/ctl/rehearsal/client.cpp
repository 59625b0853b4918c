#include "ctl/rehearsal/client.h"

#include <curl/curl.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "ctl/context.h"

namespace tradepost::ctl {
namespace {

std::size_t take(char* bytes, std::size_t size, std::size_t count, void* into) {
    static_cast<std::string*>(into)->append(bytes, size * count);
    return size * count;
}

}  // namespace

struct RehearsalClient::Impl {
    Impl(std::string url, const std::string& at)
        : base_url(std::move(url)), connect_to(curl_slist_append(nullptr, ("::" + at).c_str())), handle(curl_easy_init()) {
        if (!handle || !connect_to) throw std::runtime_error("libcurl cannot be used");
    }
    ~Impl() {
        curl_easy_cleanup(handle);
        curl_slist_free_all(connect_to);
    }
    std::string base_url;
    curl_slist* connect_to;
    CURL* handle;
};

RehearsalClient::RehearsalClient(std::string base_url, const std::string& at)
    : impl_(std::make_unique<Impl>(std::move(base_url), at)) {}
RehearsalClient::~RehearsalClient() = default;

RehearsedAnswer RehearsalClient::get(const std::string& path, const std::string& token) {
    RehearsedAnswer answer;
    auto* const handle = impl_->handle;
    curl_easy_reset(handle);  // the connection stays
    curl_slist* headers = nullptr;
    if (!token.empty()) headers = curl_slist_append(headers, ("Authorization: Bearer " + token).c_str());
    curl_easy_setopt(handle, CURLOPT_URL, (impl_->base_url + path).c_str());
    curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, 60L);
    curl_easy_setopt(handle, CURLOPT_CONNECT_TO, impl_->connect_to);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer.body);
    const CURLcode code = curl_easy_perform(handle);
    curl_slist_free_all(headers);
    if (code != CURLE_OK) {
        answer.failure = curl_easy_strerror(code);
        return answer;
    }
    long status = 0;
    const char* type = nullptr;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(handle, CURLINFO_CONTENT_TYPE, &type);
    answer.status = int(status);
    answer.type = type ? type : "";
    return answer;
}

void RehearsalClient::await_ready() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
        const auto answer = get("/readyz");
        if (answer.status == 200) return;
        if (std::chrono::steady_clock::now() > end)
            throw Failure("the workers do not answer: " +
                          (answer.status ? std::to_string(answer.status) + " " + answer.body : answer.failure));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

}  // namespace tradepost::ctl
