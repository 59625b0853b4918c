// Sends requests to the throw-away instance of a rehearsal, which listens on a loopback address of its own network.
#pragma once
#include <memory>
#include <string>

namespace tradepost::ctl {

struct RehearsedAnswer {
    int status = 0;  // 0: none came, and `failure` says why
    std::string failure;
    std::string type, body;
};

class RehearsalClient {
public:
    // `base_url` is that of the instance. `at` is ADDRESS:PORT. The certificate is not checked: it is no part of a backup's data.
    RehearsalClient(std::string base_url, const std::string& at);
    ~RehearsalClient();
    RehearsalClient(const RehearsalClient&) = delete;
    RehearsalClient& operator=(const RehearsalClient&) = delete;

    // A minute at most. Without a token as the public.
    RehearsedAnswer get(const std::string& path, const std::string& token = "");

    // Waits for a minute until workers answer, as a rehearsal has the lowest priority. Throws Failure with the last answer when they do not.
    void await_ready();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost::ctl
