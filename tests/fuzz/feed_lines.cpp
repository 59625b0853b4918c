// Any bytes are lines: however they come in pieces, the same ones, each as long as it may be, and together what was there.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "resource/feed/lines.h"

using namespace tradepost;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

using Found = std::vector<std::pair<std::size_t, std::string>>;

Found lines_of(std::string_view text, std::size_t piece) {
    feeds::Lines lines([&](std::uint64_t offset, char* buffer, std::size_t size) {
        const auto count = std::min({size, piece, text.size() - std::size_t(offset)});
        if (count > 0) std::memcpy(buffer, text.data() + offset, count);
        return count;
    });
    Found found;
    for (int reading = 0; reading < 2; ++reading) {
        found.clear();
        while (lines.next()) {
            require(lines.text().size() <= feeds::longest_line);
            require(lines.text().find('\n') == std::string_view::npos);
            require(found.empty() || found.back().first < lines.number());
            found.emplace_back(lines.number(), lines.text());
        }
        lines.rewind();
    }
    return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto found = lines_of(text, 1 << 16);
    require(found == lines_of(text, 1) && found == lines_of(text, 7));
    std::size_t number = 0, next = 0;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = std::min(text.find('\n', start), text.size());
        const auto line = text.substr(start, end - start);
        ++number;
        start = end + 1;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        require(next < found.size() && found[next].first == number && found[next].second == line.substr(0, feeds::longest_line));
        ++next;
    }
    require(next == found.size());
    return 0;
}
