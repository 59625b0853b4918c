#include "resources/dashboard/qr_code.h"

#include <qrencode.h>

#include <memory>
#include <stdexcept>

namespace tradepost::dashboard {

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

}  // namespace tradepost::dashboard
