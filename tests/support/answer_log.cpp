#include "support/answer_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/text.h"

namespace tradepost::test {

void log_answer(const http::Request& request, const http::Response& response, const std::string& origin) {
    // The description is for clients: it has neither the paths that only nginx asks for nor the operators' manuals.
    if (request.target.starts_with("/check/") || request.target.starts_with("/docs/operators/")) return;
    static const int file = [] {
        const char* path = std::getenv("TRADEPOST_TEST_ANSWERS");
        if (!path || !*path) return -1;
        const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (fd < 0) throw std::runtime_error(std::string("TRADEPOST_TEST_ANSWERS: cannot write ") + path);
        return fd;
    }();
    if (file < 0) return;
    nlohmann::json headers = nlohmann::json::object();
    for (const auto& [name, value] : response.headers) headers[core::lower_ascii(name)] = value;
    const nlohmann::json line{{"method", request.method}, {"path", request.target}, {"status", response.status},
                              {"headers", headers},       {"body", response.body},  {"origin", origin}};
    const auto text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (write(file, text.data(), text.size()) != ssize_t(text.size()))
        throw std::runtime_error("TRADEPOST_TEST_ANSWERS: the disk is full");
}

}  // namespace tradepost::test
