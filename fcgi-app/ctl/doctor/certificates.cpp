// doctor: when certificates end.
#include <curl/curl.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <ctime>
#include <memory>

#include "ctl/doctor/doctor.h"

namespace tradepost::ctl {
namespace {

struct Closer {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
    void operator()(X509* certificate) const { X509_free(certificate); }
};

}  // namespace

std::optional<core::Time> last_end(const std::string& file) {
    const std::unique_ptr<std::FILE, Closer> from(std::fopen(file.c_str(), "re"));
    if (!from) return {};
    std::optional<core::Time> last;
    for (;;) {
        const std::unique_ptr<X509, Closer> certificate(PEM_read_X509(from.get(), nullptr, nullptr, nullptr));
        std::tm fields{};
        if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &fields) != 1) return last;
        const core::Time ends{std::chrono::seconds(timegm(&fields))};
        last = std::max(last.value_or(ends), ends);
    }
}

std::optional<core::Time> parse_certificate_time(const std::string& text) {
    const auto at = curl_getdate(text.c_str(), nullptr);
    return at == -1 ? std::nullopt : std::optional(core::Time(std::chrono::seconds(at)));
}

void check_certificate_end(const std::string& what, core::Time ends, core::Time now, const std::string& remedy, Report& report) {
    const auto day = core::to_rfc3339(ends).substr(0, 10);
    if (ends <= now)
        report.check(false, what, "it ended on " + day + ": " + remedy);
    else if (ends < now + certificate_ends_soon)
        report.warn(what + " ends on " + day, remedy);
    else
        report.check(true, what + " ends on " + day, "");
}

}  // namespace tradepost::ctl
