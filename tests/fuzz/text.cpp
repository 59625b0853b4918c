// What core/text.h promises, for any bytes.
#include "core/text.h"

#include <cstdint>
#include <cstdlib>

#include "core/utf8.h"

using namespace tradepost::core;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view trimmed = trim(text);
    require(trim(trimmed) == trimmed);
    require(lower_ascii(text).size() == size);
    if (!is_utf8(text)) return 0;

    std::string again;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) append_code_point(again, next_code_point(text, at));
    require(again == text);
    require(count == code_points(text));

    const std::string once = fold(text);
    require(is_utf8(once));
    require(fold(once) == once);
    require(fold_key(text) == fold_key(once));
    require(fold_key(text).size() % 16 == 0);
    return 0;
}
