// Asks a running instance over HTTPS, as its clients do.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/time.h"

namespace tradepost::ctl {

struct WebAnswer {
    int status = 0;       // 0: none came, and `failure` says why
    std::string failure;  // with what to do about it
    std::string body;
    std::string own_address;   // as which this host asked
    bool wanted_body = false;  // announce(): "100 Continue" came
};

// What a server shows of itself.
struct WebCertificate {
    std::string failure;                     // why none was shown, as in WebAnswer
    std::optional<core::Time> begins, ends;  // empty when libcurl does not say
    bool has_name = true;                    // it is for the host of the URL
    std::string distrust;                    // why it is not accepted, whatever its name; empty when it is
};

class WebClient {
public:
    // `url` without a slash at its end; `ca_file`: what the certificate is checked against, empty for the system's. Proxies of
    // the environment are not used.
    WebClient(std::string url, std::string ca_file);
    ~WebClient();
    WebClient(const WebClient&) = delete;
    WebClient& operator=(const WebClient&) = delete;

    // Half a minute at most. When the instance is found on a loopback address, later calls come from one of their own there,
    // which no proxy has.
    WebAnswer get(const std::string& path, const std::vector<std::string>& headers = {});

    WebCertificate look_at_certificate();
    // From now on whoever issued it, and whenever it ends; not for another name.
    void accept_certificate();

    // Announces a body of so many bytes (RFC 9110, section 10.1.1) and sends none of it: whether it would be taken.
    WebAnswer announce(const std::string& method, const std::string& path, std::uint64_t bytes);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost::ctl
