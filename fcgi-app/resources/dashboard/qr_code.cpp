#include "resources/dashboard/qr_code.h"

#include <qrencode.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "core/host.h"
#include "http/query.h"

namespace tradepost::dashboard {
namespace {

std::string host_of(std::string_view url) {
    if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
    const auto authority = url.substr(0, url.find('/'));
    const auto endpoint = core::parse_endpoint(authority, 0);
    return endpoint ? endpoint->host : std::string(authority);
}

std::string label_part(std::string text) {
    std::replace(text.begin(), text.end(), ':', '-');
    return http::percent_encode(text);
}

}  // namespace

std::vector<std::string> qr_code(std::string_view text) {
    const std::string terminated(text);
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(QRcode_encodeString8bit(terminated.c_str(), 0, QR_ECLEVEL_M),
                                                               &QRcode_free);
    if (!code) throw std::runtime_error("a text of " + std::to_string(text.size()) + " bytes fits into no QR code");
    const auto width = std::size_t(code->width);
    std::vector<std::string> rows;
    for (std::size_t y = 0; y < width; ++y) {
        std::string row;
        for (std::size_t x = 0; x < width; ++x) row += code->data[y * width + x] & 1 ? '1' : '0';
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string app_uri(std::string_view base_url, std::string_view account, std::string_view secret) {
    const auto issuer = label_part(host_of(base_url));
    return "otpauth://totp/" + issuer + ":" + label_part(std::string(account)) + "?secret=" + std::string(secret) +
           "&issuer=" + issuer;
}

}  // namespace tradepost::dashboard
