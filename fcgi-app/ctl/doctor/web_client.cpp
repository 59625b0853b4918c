#include "ctl/doctor/web_client.h"

#include <curl/curl.h>

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "core/url.h"
#include "net/handle.h"

namespace tradepost::ctl {
namespace {

// Any address of 127/8 is this host's; this one nobody else asks from.
constexpr const char* own_loopback = "host!127.83.83.83";
constexpr long time_limit_s = 30;

std::size_t take(char* bytes, std::size_t size, std::size_t count, void* into) {
    static_cast<std::string*>(into)->append(bytes, size * count);
    return size * count;
}

// Called once the server has said that it wants the body.
std::size_t refuse_to_send(char*, std::size_t, std::size_t, void* wanted) {
    *static_cast<bool*>(wanted) = true;
    return CURL_READFUNC_ABORT;
}

std::string explain(CURLcode code, const char* text) {
    switch (code) {
        case CURLE_SSL_CACERT_BADFILE:
            return std::string(text) + ": name a file of certificates with --cacert, or install ca-certificates";
        case CURLE_COULDNT_RESOLVE_HOST:
            return std::string(text) + ": add the name to the DNS or to /etc/hosts, or correct [http] base_url";
        case CURLE_URL_MALFORMAT:
            return std::string(text) + ": correct [http] base_url, or name another address with --url";
        case CURLE_COULDNT_CONNECT:
            return std::string(curl_easy_strerror(code)) +
                   ": let nginx listen there, correct [http] base_url, or name another address with --url";
        case CURLE_OPERATION_TIMEDOUT:
            return std::string(curl_easy_strerror(code)) + ": look for a firewall in between, and at nginx's error log";
        case CURLE_SSL_CONNECT_ERROR:
            return std::string(text) + ": look whether nginx or another server answers there, and at nginx's error log";
        default:
            return std::string(text) + ": see nginx's error log";
    }
}

}  // namespace

struct WebClient::Impl {
    Impl(std::string u, std::string c) : url(std::move(u)), ca_file(std::move(c)), handle(curl_easy_init()) {
        if (!handle) throw std::runtime_error("libcurl cannot be used");
    }
    ~Impl() { curl_easy_cleanup(handle); }

    void prepare(const std::string& path);
    WebAnswer perform(const std::vector<std::string>& headers, bool* wanted = nullptr);

    std::string url, ca_file;
    CURL* handle;
    bool loopback = false, verify = true;
};

void WebClient::Impl::prepare(const std::string& path) {
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_URL, core::wire_url(url + path).value_or(url + path).c_str());
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "https,http");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, time_limit_s);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    net::trust(handle, ca_file);
    curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, long(verify));
    if (!loopback) return;
    curl_easy_setopt(handle, CURLOPT_IPRESOLVE, long(CURL_IPRESOLVE_V4));
    curl_easy_setopt(handle, CURLOPT_INTERFACE, own_loopback);
}

WebAnswer WebClient::Impl::perform(const std::vector<std::string>& headers, bool* wanted) {
    WebAnswer answer;
    char error[CURL_ERROR_SIZE] = {};
    curl_slist* list = nullptr;
    for (const auto& header : headers) list = curl_slist_append(list, header.c_str());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer.body);
    const CURLcode code = curl_easy_perform(handle);
    curl_slist_free_all(list);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, nullptr);
    if (code != CURLE_OK && !(wanted && *wanted)) {
        answer.failure = explain(code, error[0] ? error : curl_easy_strerror(code));
        return answer;
    }
    long status = 0;
    char *own = nullptr, *server = nullptr;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(handle, CURLINFO_LOCAL_IP, &own);
    curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &server);
    answer.status = int(status);
    answer.own_address = own ? own : "";
    answer.wanted_body = wanted && *wanted;
    const std::string found = server ? server : "";
    loopback = loopback || found == "::1" || found.starts_with("127.");
    return answer;
}

WebClient::WebClient(std::string url, std::string ca_file) : impl_(std::make_unique<Impl>(std::move(url), std::move(ca_file))) {}
WebClient::~WebClient() = default;

// Whether it has the name, and whether it is trusted, are asked one by one: libcurl tells the first fault only.
WebCertificate WebClient::look_at_certificate() {
    WebCertificate found;
    char error[CURL_ERROR_SIZE] = {};
    const auto connect = [&](bool verify_issuer, bool verify_name) {
        impl_->prepare("/");
        curl_easy_setopt(impl_->handle, CURLOPT_CONNECT_ONLY, 1L);
        curl_easy_setopt(impl_->handle, CURLOPT_CERTINFO, 1L);
        curl_easy_setopt(impl_->handle, CURLOPT_ERRORBUFFER, error);
        curl_easy_setopt(impl_->handle, CURLOPT_SSL_VERIFYPEER, long(verify_issuer));
        curl_easy_setopt(impl_->handle, CURLOPT_SSL_VERIFYHOST, verify_name ? 2L : 0L);
        error[0] = 0;
        const auto code = curl_easy_perform(impl_->handle);
        curl_easy_setopt(impl_->handle, CURLOPT_ERRORBUFFER, nullptr);
        if (code != CURLE_OK && !error[0]) (void)std::snprintf(error, sizeof error, "%s", curl_easy_strerror(code));
        return code;
    };
    if (const auto code = connect(false, false); code != CURLE_OK) {
        found.failure = explain(code, error);
        return found;
    }
    curl_certinfo* chain = nullptr;
    if (curl_easy_getinfo(impl_->handle, CURLINFO_CERTINFO, &chain) == CURLE_OK && chain && chain->num_of_certs > 0)
        for (const auto* each = chain->certinfo[0]; each; each = each->next) {
            const std::string_view line(each->data);
            const auto colon = line.find(':');
            const auto name = line.substr(0, colon);
            if (name != "Start date" && name != "Expire date") continue;
            if (const auto at = curl_getdate(each->data + colon + 1, nullptr); at != -1)
                (name == "Start date" ? found.begins : found.ends) = core::Time(std::chrono::seconds(at));
        }
    found.has_name = connect(false, true) == CURLE_OK;
    if (connect(true, false) != CURLE_OK) found.distrust = error;
    return found;
}

void WebClient::accept_certificate() {
    impl_->verify = false;
}

WebAnswer WebClient::get(const std::string& path, const std::vector<std::string>& headers) {
    impl_->prepare(path);
    return impl_->perform(headers);
}

WebAnswer WebClient::announce(const std::string& method, const std::string& path, std::uint64_t bytes) {
    impl_->prepare(path);
    bool wanted = false;
    curl_easy_setopt(impl_->handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(impl_->handle, CURLOPT_CUSTOMREQUEST, method.c_str());
    curl_easy_setopt(impl_->handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes));
    curl_easy_setopt(impl_->handle, CURLOPT_READFUNCTION, refuse_to_send);
    curl_easy_setopt(impl_->handle, CURLOPT_READDATA, &wanted);
    // Without an answer the body would be sent after this time, which is none: the whole exchange is over first.
    curl_easy_setopt(impl_->handle, CURLOPT_EXPECT_100_TIMEOUT_MS, 2 * time_limit_s * 1000);
    return impl_->perform({"Expect: 100-continue", "Content-Type: application/json"}, &wanted);
}

}  // namespace tradepost::ctl
