#include "mail/smtp.h"

#include <curl/curl.h>
#include <unistd.h>

#include <array>

namespace tradepost::mail {
namespace {

constexpr long connect_limit_s = 15, time_limit_s = 40;  // deliver/kinds.h

struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct FreeMime {
    void operator()(curl_mime* mime) const { curl_mime_free(mime); }
};
using List = std::unique_ptr<curl_slist, FreeList>;
using Mime = std::unique_ptr<curl_mime, FreeMime>;

void append(List& list, const std::string& text) {
    auto* longer = curl_slist_append(list.get(), text.c_str());
    if (!longer) throw std::bad_alloc();
    (void)list.release();
    list.reset(longer);
}

// Lines of a letter end with CR LF.
std::string with_network_ends(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r') continue;
        if (text[i] == '\n') out += '\r';
        out += text[i];
    }
    return out;
}

void add_part(curl_mime* mime, const std::string& text, const char* type) {
    auto* part = curl_mime_addpart(mime);
    const auto lines = with_network_ends(text);
    if (!part || curl_mime_data(part, lines.data(), lines.size()) != CURLE_OK || curl_mime_type(part, type) != CURLE_OK ||
        curl_mime_encoder(part, "quoted-printable") != CURLE_OK)
        throw std::bad_alloc();
}

// By which this host names itself in EHLO.
std::string own_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0 || !name[0]) return "localhost";
    return name.data();
}

}  // namespace

struct Smtp::Impl {
    explicit Impl(const core::MailConfig& s) : settings(s), password(core::mail_password(s)), handle(curl_easy_init()) {
        if (!handle) throw std::runtime_error("libcurl cannot be used");
    }
    ~Impl() { curl_easy_cleanup(handle); }

    void prepare();
    Mailbox from() const;
    void perform(const std::string& what);
    static int note(CURL*, curl_infotype type, char* data, std::size_t size, void* impl);

    core::MailConfig settings;
    std::string password;
    CURL* handle;
    std::array<char, CURL_ERROR_SIZE> reason{};
    std::string command;   // the last one sent, four letters
    bool refused = false;  // this letter or its receiver, for good
};

// libcurl's errors do not tell which command was refused. What the server has against this host or the sender concerns all letters, and an
// operator can mend it: the greeting, the sign-in and MAIL say so, and servers that wait for the receiver's address say 5.7 (RFC 3463) then.
int Smtp::Impl::note(CURL*, curl_infotype type, char* data, std::size_t size, void* impl) {
    auto& own = *static_cast<Impl*>(impl);
    const std::string_view line(data, size);
    if (type == CURLINFO_HEADER_OUT) own.command = line.substr(0, 4);
    if (type == CURLINFO_HEADER_IN && line.starts_with('5') &&
        (own.command == "DATA" || (own.command == "RCPT" && line.find("5.7.") != 4)))
        own.refused = true;
    return 0;
}

void Smtp::Impl::prepare() {
    curl_easy_reset(handle);
    reason[0] = 0;
    command.clear();
    refused = false;
    curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
    curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, note);
    curl_easy_setopt(handle, CURLOPT_DEBUGDATA, this);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, reason.data());
    curl_easy_setopt(handle, CURLOPT_URL, (settings.smtp + "/" + own_name()).c_str());
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, connect_limit_s);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, time_limit_s);
    curl_easy_setopt(handle, CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(handle, CURLOPT_USE_SSL, long(settings.tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    if (!settings.tls_ca.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, settings.tls_ca.c_str());
    if (settings.user.empty()) return;
    curl_easy_setopt(handle, CURLOPT_USERNAME, settings.user.c_str());
    curl_easy_setopt(handle, CURLOPT_PASSWORD, password.c_str());
}

Mailbox Smtp::Impl::from() const {
    if (auto mailbox = parse_mailbox(settings.from)) return *mailbox;
    throw SendError("[mail] from is no address: write \"Name <address>\"", false);
}

void Smtp::Impl::perform(const std::string& what) {
    const auto code = curl_easy_perform(handle);
    if (code == CURLE_OK) return;
    const std::string text = what + ": " + (reason[0] ? reason.data() : curl_easy_strerror(code));
    const auto remedy = [&]() -> std::string {
        switch (code) {
            case CURLE_LOGIN_DENIED:
                return "; correct user and password_file of [mail]";
            case CURLE_USE_SSL_FAILED:
                return "; the server offers no TLS: name another one in [mail] smtp";
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
    throw SendError(text + remedy, refused);
}

Smtp::Smtp(const core::MailConfig& settings) : impl_(std::make_unique<Impl>(settings)) {}
Smtp::~Smtp() = default;

void Smtp::send(const Message& message, core::Time now) {
    if (!is_deliverable(message.to.address)) throw SendError("the address is none that mail can be sent to", true);
    const auto from = impl_->from();
    impl_->prepare();
    auto* handle = impl_->handle;
    List receivers, headers;
    append(receivers, "<" + message.to.address + ">");
    for (const auto& line : header_lines(message, from, now)) append(headers, line);
    append(headers, "Content-Type: multipart/alternative");
    const Mime parts(curl_mime_init(handle));
    if (!parts) throw std::bad_alloc();
    add_part(parts.get(), message.text, "text/plain; charset=utf-8");
    add_part(parts.get(), message.html, "text/html; charset=utf-8");
    curl_easy_setopt(handle, CURLOPT_MAIL_FROM, ("<" + from.address + ">").c_str());
    curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, receivers.get());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(handle, CURLOPT_MIMEPOST, parts.get());
    impl_->perform("the mail server did not take the letter");
}

void Smtp::check() {
    (void)impl_->from();
    impl_->prepare();
    curl_easy_setopt(impl_->handle, CURLOPT_NOBODY, 1L);
    curl_easy_setopt(impl_->handle, CURLOPT_CUSTOMREQUEST, "NOOP");
    impl_->perform("the mail server cannot be used");
}

}  // namespace tradepost::mail
