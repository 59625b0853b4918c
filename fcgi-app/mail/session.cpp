#include "mail/session.h"

#include <poll.h>
#include <unistd.h>

#include "core/base64.h"
#include "core/said.h"
#include "mail/smtp.h"
#include "net/handle.h"

namespace tradepost::mail {
namespace {

constexpr long connect_limit_s = 15;
constexpr std::size_t longest_reply = 64 << 10;
constexpr const char* not_taken = "the mail server did not take the letter";

// By which this host names itself in EHLO.
std::string own_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0 || !name[0]) return "localhost";
    return name.data();
}

std::chrono::milliseconds left_of(Session::Deadline deadline) {
    return std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
}

// A line that begins with a dot gets another one (RFC 5321, section 4.5.2), and the last line is a dot alone.
std::string with_dots(const std::string& content) {
    std::string text;
    text.reserve(content.size() + 64);
    bool begins = true;
    for (const char c : content) {
        if (begins && c == '.') text += '.';
        begins = c == '\n';
        text += c;
    }
    return text + ".\r\n";
}

}  // namespace

Session::Session(const core::MailConfig& settings, Deadline deadline, const std::string& what)
    : user_(settings.user), password_(core::mail_password(settings)), handle_(curl_easy_init()) {
    if (!handle_) throw std::runtime_error("libcurl cannot be used");
    try {
        connect(settings, deadline, what);
    } catch (...) {
        curl_easy_cleanup(handle_);
        throw;
    }
}

Session::~Session() {
    std::size_t sent = 0;
    (void)curl_easy_send(handle_, "QUIT\r\n", 6, &sent);  // nobody waits for the answer
    curl_easy_cleanup(handle_);
}

void Session::sent(std::string_view line) {
    const auto word = line.substr(0, line.find_first_of(" \r\n"));
    quits_ = word == "QUIT";
    if (quits_) return;
    // A sign-in goes on in lines without a command.
    command_ = word == "AUTH" || command_ == "AUTH" ? "AUTH" : word;
    if (word == "EHLO") smtputf8_ = false;  // what was offered without TLS counts for nothing
    reply_.clear();
}

// libcurl's errors do not tell which command was refused. Lines of one reply have a hyphen behind their code, but the last (RFC 5321, section
// 4.2.1).
void Session::received(std::string_view line) {
    if (quits_) return;
    const bool has_code = !line.empty() && line[0] >= '2' && line[0] <= '5';
    if (has_code && whole_) reply_.clear();
    whole_ = has_code && (line.size() < 4 || line[3] != '-');
    if (reply_.size() < 2 * core::longest_answer) reply_.append(line).append("\n");
    if (command_ == "EHLO" && line.substr(0, 3) == "250" &&
        line.substr(std::min<std::size_t>(4, line.size())).starts_with("SMTPUTF8"))
        smtputf8_ = true;
}

// What the server has against it, after the command; empty when it has agreed so far.
std::string Session::answer() const {
    // As AUTH PLAIN and AUTH LOGIN send it (RFC 4616).
    const std::string secrets[] = {password_, core::to_base64(std::string(1, '\0') + user_ + '\0' + password_),
                                   core::to_base64(password_)};
    const auto text = reply_.starts_with('2') || reply_.starts_with('3') ? "" : core::said(reply_, secrets);
    return text.empty() || command_.empty() ? text : command_ + ": " + text;
}

int Session::note(CURL*, curl_infotype type, char* data, std::size_t size, void* session) {
    auto& own = *static_cast<Session*>(session);
    if (type == CURLINFO_HEADER_OUT) own.sent({data, size});
    if (type == CURLINFO_HEADER_IN) own.received({data, size});
    return 0;
}

void Session::connect(const core::MailConfig& settings, Deadline deadline, const std::string& what) {
    curl_easy_setopt(handle_, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(handle_, CURLOPT_DEBUGFUNCTION, note);
    curl_easy_setopt(handle_, CURLOPT_DEBUGDATA, this);
    curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, reason_.data());
    curl_easy_setopt(handle_, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(handle_, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle_, CURLOPT_CONNECTTIMEOUT, connect_limit_s);
    curl_easy_setopt(handle_, CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(handle_, CURLOPT_USE_SSL, long(settings.tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    curl_easy_setopt(handle_, CURLOPT_CONNECT_ONLY, 1L);
    net::trust(handle_, settings.tls_ca);
    if (!user_.empty()) {
        curl_easy_setopt(handle_, CURLOPT_USERNAME, user_.c_str());
        curl_easy_setopt(handle_, CURLOPT_PASSWORD, password_.c_str());
    }
    const auto code = net::perform(handle_, settings.smtp + "/" + own_name(), left_of(deadline));
    if (code == CURLE_OK && curl_easy_getinfo(handle_, CURLINFO_ACTIVESOCKET, &socket_) == CURLE_OK) return;
    const auto said = answer();
    const std::string text = what + ": " + (!said.empty() ? said : reason_[0] ? reason_.data() : curl_easy_strerror(code));
    const auto remedy = [&]() -> std::string {
        switch (code) {
            case CURLE_LOGIN_DENIED:
                return "; correct user and password_file of [mail]";
            case CURLE_USE_SSL_FAILED:
                return "; the server offers no TLS: let it, or name another one in [mail] smtp";
            case CURLE_PEER_FAILED_VERIFICATION:
            case CURLE_SSL_CACERT_BADFILE:
                return "; renew the server's certificate, or name the CA's with [mail] tls_ca";
            case CURLE_COULDNT_RESOLVE_HOST:
            case CURLE_COULDNT_CONNECT:
            case CURLE_OPERATION_TIMEDOUT:
                return "; start the server, or correct [mail] smtp";
            default:
                return "";
        }
    }();
    throw SendError(text + remedy, false);
}

void Session::fail(const std::string& why, bool permanent) const {
    throw SendError(std::string(not_taken) + ": " + why, permanent);
}

void Session::wait(short events, Deadline deadline) {
    const auto left = left_of(deadline);
    pollfd polled{socket_, events, 0};
    if (left.count() <= 0 || poll(&polled, 1, int(left.count())) == 0) fail("it did not answer in time");
}

void Session::say(std::string_view text, Deadline deadline) {
    while (!text.empty()) {
        std::size_t count = 0;
        const auto code = curl_easy_send(handle_, text.data(), text.size(), &count);
        if (code == CURLE_AGAIN)
            wait(POLLOUT, deadline);
        else if (code != CURLE_OK)
            fail("it closed the connection");
        text.remove_prefix(count);
    }
}

// Reads a whole reply.
void Session::hear(Deadline deadline) {
    reply_.clear();
    whole_ = false;
    for (std::size_t size = 0;;) {
        for (auto end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
            received(std::string_view(unread_).substr(0, unread_.find_last_not_of("\r\n", end) + 1));
            unread_.erase(0, end + 1);
            if (whole_) return;
        }
        std::array<char, 2048> bytes;
        std::size_t count = 0;
        const auto code = curl_easy_recv(handle_, bytes.data(), bytes.size(), &count);
        if (code == CURLE_AGAIN)
            wait(POLLIN, deadline);
        else if (code != CURLE_OK || count == 0 || (size += count) > longest_reply)
            fail("it closed the connection");
        unread_.append(bytes.data(), count);
    }
}

// Throws SendError unless the reply begins with this digit. What the server has against this host or the sender concerns all letters, and an
// operator can mend it: MAIL says so, and servers that wait for the receiver's address say 5.7 (RFC 3463) then.
void Session::ask(const std::string& line, char wanted, Deadline deadline) {
    command_ = line.substr(0, line.find_first_of(" \r\n"));
    say(line, deadline);
    hear(deadline);
    if (reply_.starts_with(wanted)) return;
    const bool of_letter = command_ == "DATA" || (command_ == "RCPT" && reply_.find("5.7.") != 4);
    fail(answer(), reply_.starts_with('5') && of_letter);
}

bool Session::is_alive(Deadline deadline) noexcept try {
    ask("NOOP\r\n", '2', deadline);
    return true;
} catch (const std::exception&) {
    return false;
}

void Session::send(const std::string& from, const std::string& to, bool smtputf8, const std::string& content, Deadline deadline) {
    ask("MAIL FROM:<" + from + ">" + (smtputf8 ? " SMTPUTF8" : "") + "\r\n", '2', deadline);
    ask("RCPT TO:<" + to + ">\r\n", '2', deadline);
    ask("DATA\r\n", '3', deadline);
    say(with_dots(content), deadline);
    hear(deadline);
    if (!reply_.starts_with('2')) fail(answer(), reply_.starts_with('5'));
}

}  // namespace tradepost::mail
