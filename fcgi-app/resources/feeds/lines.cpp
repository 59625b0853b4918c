#include "resources/feeds/lines.h"

#include <algorithm>

namespace tradepost::feeds {
namespace {

constexpr std::size_t piece = 64 << 10;

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

bool Lines::next() {
    while (read_line())
        if (is_too_long_ || !is_blank(text_)) return true;
    return false;
}

void Lines::rewind() {
    buffer_.clear();
    used_ = 0;
    offset_ = 0;
    number_ = 0;
}

bool Lines::read_line() {
    text_.clear();
    is_too_long_ = false;
    for (bool any = false;; any = true) {
        if (used_ == buffer_.size()) {
            buffer_.resize(piece);
            buffer_.resize(source_(offset_, buffer_.data(), piece));
            offset_ += buffer_.size();
            used_ = 0;
        }
        if (buffer_.empty()) {
            number_ += any;
            return any;
        }
        const auto end = buffer_.find('\n', used_);
        add(std::string_view(buffer_).substr(used_, end == std::string::npos ? end : end - used_));
        used_ = end == std::string::npos ? buffer_.size() : end + 1;
        if (end == std::string::npos) continue;
        ++number_;
        return true;
    }
}

void Lines::add(std::string_view piece_of_line) {
    const auto room = longest_line - text_.size();
    is_too_long_ = is_too_long_ || piece_of_line.size() > room;
    text_ += piece_of_line.substr(0, room);
}

}  // namespace tradepost::feeds
