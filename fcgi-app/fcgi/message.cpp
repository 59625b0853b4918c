#include "fcgi/message.h"

#include <limits.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <span>
#include <utility>

#include "core/log.h"
#include "core/text.h"
#include "fcgi/sender.h"

namespace tradepost::fcgi {
namespace {

std::string_view parameter(const FCGX_Request& exchange, const char* name) {
    const char* value = FCGX_GetParam(name, exchange.envp);
    return value ? value : "";
}

// HTTP_IF_NONE_MATCH is if-none-match (RFC 3875, section 4.1.18).
std::string header_name(std::string_view variable) {
    auto name = core::lower_ascii(variable.substr(5));
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

// Fields of one name are one list (RFC 9110, section 5.3); cookies are joined as RFC 6265, section 5.4, does. nginx passes
// such fields one by one before 1.23. Sorted, for a client may send thousands.
void join_same_names(std::vector<std::pair<std::string, std::string>>& headers) {
    std::stable_sort(headers.begin(), headers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < headers.size(); ++i) {
        if (headers[i].first == headers[last].first)
            headers[last].second.append(headers[i].first == "cookie" ? "; " : ", ").append(headers[i].second);
        else if (++last != i)
            headers[last] = std::move(headers[i]);
    }
    if (!headers.empty()) headers.resize(last + 1);
}

// Seconds since 1970 with three decimals, as nginx writes $msec; empty for anything else.
std::optional<core::Time> unix_time(std::string_view text) {
    const auto dot = text.find('.');
    std::int64_t seconds = 0, milliseconds = 0;
    const auto is_number = [](std::string_view digits, std::int64_t& number) {
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    if (dot == std::string_view::npos || dot > 12 || text.size() != dot + 4 || text[dot + 1] == '-') return {};
    if (!is_number(text.substr(0, dot), seconds) || !is_number(text.substr(dot + 1), milliseconds)) return {};
    return core::Time(core::milliseconds(seconds * 1000 + milliseconds));
}

void read_headers(const FCGX_Request& exchange, http::Request& request) {
    for (char** entry = exchange.envp; *entry; ++entry) {
        const std::string_view variable(*entry);
        // Web servers pass these two as HTTP_… as well as under the names of RFC 3875.
        if (!variable.starts_with("HTTP_")) continue;
        if (variable.starts_with("HTTP_CONTENT_TYPE=") || variable.starts_with("HTTP_CONTENT_LENGTH=")) continue;
        const auto equals = variable.find('=');
        if (equals != std::string_view::npos)
            request.headers.emplace_back(header_name(variable.substr(0, equals)), variable.substr(equals + 1));
    }
    join_same_names(request.headers);
    if (const auto type = parameter(exchange, "CONTENT_TYPE"); !type.empty()) request.headers.emplace_back("content-type", type);
}

// Section 3.3 of the FastCGI specification.
enum class RecordType : char { end_request = 3, stdout_stream = 6 };
constexpr std::size_t longest_record = 65535;
using RecordHead = std::array<char, 8>;

RecordHead record_head(RecordType type, int id, std::size_t length) {
    return {1, char(type), char(id >> 8), char(id), char(length >> 8), char(length), 0, 0};
}

// False when the client has gone.
bool send(int socket, std::span<iovec> pieces) {
    while (!pieces.empty()) {
        msghdr message{};
        message.msg_iov = pieces.data();
        message.msg_iovlen = std::min<std::size_t>(pieces.size(), IOV_MAX);
        const auto sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0) return false;
        auto left = std::size_t(sent);
        while (!pieces.empty() && left >= pieces[0].iov_len) {
            left -= pieces[0].iov_len;
            pieces = pieces.subspan(1);
        }
        if (left > 0) pieces[0] = {static_cast<char*>(pieces[0].iov_base) + left, pieces[0].iov_len - left};
    }
    return true;
}

// Standard output, and with `last` its end and the end of the request. False when the client has gone.
bool send_output(int socket, int id, std::string_view head, std::string_view body, bool last) {
    std::vector<RecordHead> heads;
    std::vector<iovec> pieces;
    const auto records = (head.size() + body.size()) / longest_record + 1;
    heads.reserve(records + 2);
    pieces.reserve(3 * records + 3);
    const auto add = [&](std::string_view bytes) { pieces.push_back({const_cast<char*>(bytes.data()), bytes.size()}); };
    const auto add_head = [&](RecordType type, std::size_t length) {
        const auto& bytes = heads.emplace_back(record_head(type, id, length));
        add({bytes.data(), bytes.size()});
    };
    while (!head.empty() || !body.empty()) {
        const auto of_head = head.substr(0, longest_record);
        const auto of_body = body.substr(0, longest_record - of_head.size());
        add_head(RecordType::stdout_stream, of_head.size() + of_body.size());
        add(of_head);
        add(of_body);
        head.remove_prefix(of_head.size());
        body.remove_prefix(of_body.size());
    }
    static constexpr char complete[8] = {};
    if (last) {
        add_head(RecordType::stdout_stream, 0);
        add_head(RecordType::end_request, sizeof complete);
        add({complete, sizeof complete});
    }
    return send(socket, pieces);
}

// The pieces of a long body. Without the end of the request, the web server takes the response for broken off.
void send_pieces(int socket, int id, std::string_view head, const std::function<std::string()>& more) {
    try {
        if (!send_output(socket, id, head, "", false)) return;
        for (;;) {
            const auto piece = more();
            if (!send_output(socket, id, "", piece, piece.empty()) || piece.empty()) return;
        }
    } catch (const std::exception& error) {
        core::log::error("broken_off", {{"worker", getpid()}, {"why", error.what()}});
    }
}

}  // namespace

std::optional<http::Request> read_request(FCGX_Request& exchange) {
    http::Request request;
    request.method = parameter(exchange, "REQUEST_METHOD");
    request.target = parameter(exchange, "REQUEST_URI");
    request.client_address = parameter(exchange, "REMOTE_ADDR");
    read_headers(exchange, request);
    // No header can name it: those begin with HTTP_.
    request.body_file = parameter(exchange, "REQUEST_BODY_FILE");
    request.queued_at = unix_time(parameter(exchange, "QUEUED_AT"));

    const auto announced = parameter(exchange, "CONTENT_LENGTH");
    std::size_t length = 0;
    if (!announced.empty()) {
        const auto [end, error] = std::from_chars(announced.data(), announced.data() + announced.size(), length);
        if (error != std::errc() || end != announced.data() + announced.size()) return {};
    }
    if (length > max_body) {
        request.body_too_large = true;
        return request;
    }
    request.body.resize(length);
    std::size_t have = 0;
    while (have < length) {
        const int got = FCGX_GetStr(request.body.data() + have, int(length - have), exchange.in);
        if (got <= 0) break;
        have += std::size_t(got);
    }
    // An aborted request looks like a short body (error -3), so both are checked before a handler sees it.
    if (have != length || FCGX_GetError(exchange.in) != 0) return {};
    FCGX_GetChar(exchange.in);  // the end, unless more comes than was announced
    return request;
}

void write_response(FCGX_Request& exchange, const http::Response& response) {
    std::string head;
    head.reserve(1000);
    head.append("Status: ")
        .append(std::to_string(response.status))
        .append(" ")
        .append(http::reason(response.status))
        .append("\r\n");
    for (const auto& [name, value] : response.headers) head.append(name).append(": ").append(value).append("\r\n");
    head.append("\r\n");
    if (response.more && FCGX_HasSeenEOF(exchange.in) == EOF) {
        FCGX_Free(&exchange, 0);
        const int socket = std::exchange(exchange.ipcFd, -1);
        return send_in_background([socket, id = exchange.requestId, head = head + response.body, more = response.more] {
            send_pieces(socket, id, head, more);
            close(socket);
        });
    }
    // libfcgi would send pieces of 8 KiB and then wait until the web server has closed its side; each costs a context switch. An
    // error means that the client has gone, so there is nobody to report it to.
    if (response.more)
        send_pieces(exchange.ipcFd, exchange.requestId, head + response.body, response.more);
    else
        send_output(exchange.ipcFd, exchange.requestId, head, response.body, true);
    if (FCGX_HasSeenEOF(exchange.in) == EOF) {
        FCGX_Free(&exchange, 0);
        close(std::exchange(exchange.ipcFd, -1));
    } else {
        FCGX_Free(&exchange, 1);  // waits: closing with unread data would reset the connection
    }
}

}  // namespace tradepost::fcgi
