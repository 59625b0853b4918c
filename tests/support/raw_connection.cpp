#include "support/raw_connection.h"

#include <curl/curl.h>
#include <poll.h>

#include <stdexcept>

#include "core/text.h"

namespace tradepost::test {

struct RawConnection::Impl {
    CURL* handle = curl_easy_init();
    curl_socket_t socket = CURL_SOCKET_BAD;

    bool wait(short events, std::chrono::milliseconds limit) const {
        pollfd waiting{socket, events, 0};
        return poll(&waiting, 1, int(limit.count())) > 0;
    }
};

RawConnection::RawConnection(const Site& site, bool tls, const std::string& address) : impl_(std::make_unique<Impl>()) {
    CURL* const curl = impl_->handle;
    const std::string url = (tls ? "https" : "http") + site.url.substr(site.url.find(':'));
    const std::string interface = "host!" + address;
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_CAINFO, site.ca_file.c_str());
    curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(curl, CURLOPT_INTERFACE, interface.c_str());
    curl_easy_setopt(curl, CURLOPT_IPRESOLVE, long(CURL_IPRESOLVE_V4));
    curl_easy_setopt(curl, CURLOPT_SSL_ENABLE_ALPN, 0L);  // else nginx would expect HTTP/2
    curl_easy_setopt(curl, CURLOPT_CONNECT_ONLY, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    const auto code = curl_easy_perform(curl);
    if (code == CURLE_OK) curl_easy_getinfo(curl, CURLINFO_ACTIVESOCKET, &impl_->socket);
    if (code == CURLE_OK && impl_->socket != CURL_SOCKET_BAD) return;
    curl_easy_cleanup(curl);
    throw std::runtime_error(std::string("no connection: ") + curl_easy_strerror(code));
}

RawConnection::~RawConnection() {
    close();
}

void RawConnection::close() {
    if (impl_->handle) curl_easy_cleanup(impl_->handle);
    impl_->handle = nullptr;
}

std::size_t RawConnection::send(std::string_view bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        std::size_t count = 0;
        const auto code = curl_easy_send(impl_->handle, bytes.data() + done, bytes.size() - done, &count);
        if (code == CURLE_AGAIN && impl_->wait(POLLOUT, std::chrono::seconds(20))) continue;
        if (code != CURLE_OK) break;
        done += count;
    }
    return done;
}

std::string RawConnection::read_to_end(std::chrono::seconds limit) {
    return read_until("", limit);
}

std::string RawConnection::read_until(std::string_view end, std::chrono::seconds limit) {
    const auto until = std::chrono::steady_clock::now() + patient(limit);
    std::string all;
    char piece[16384];
    for (;;) {
        std::size_t count = 0;
        const auto code = curl_easy_recv(impl_->handle, piece, sizeof piece, &count);
        if (code == CURLE_AGAIN) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
            if (left.count() <= 0 || !impl_->wait(POLLIN, left)) return all;
            continue;
        }
        if (code != CURLE_OK || count == 0) return all;
        all.append(piece, count);
        if (!end.empty() && all.ends_with(end)) return all;
    }
}

Answer raw_exchange(const Site& site, std::string_view bytes, bool tls) {
    RawConnection connection(site, tls);
    connection.send(bytes);
    const auto text = connection.read_to_end();
    Answer answer;
    const auto head_end = text.find("\r\n\r\n");
    // "HTTP/1.1 405", a reason after it or not.
    if (!text.starts_with("HTTP/1.") || head_end == std::string::npos) {
        answer.failure = text.empty() ? "closed without an answer" : text;
        return answer;
    }
    answer.version = text.substr(5, 3);
    answer.status = std::stoi(text.substr(9, 3));
    answer.body = text.substr(head_end + 4);
    for (auto at = text.find("\r\n"); at < head_end;) {
        const auto end = text.find("\r\n", at + 2);
        const auto line = std::string_view(text).substr(at + 2, end - at - 2);
        const auto colon = line.find(':');
        answer.headers.emplace_back(core::lower_ascii(line.substr(0, colon)), core::trim(line.substr(colon + 1)));
        at = end;
    }
    return answer;
}

}  // namespace tradepost::test
