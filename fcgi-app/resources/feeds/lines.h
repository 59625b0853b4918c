// The lines of a feed.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tradepost::feeds {

inline constexpr std::size_t longest_line = 1 << 20;  // as long as the body of one item may be

class Lines {
public:
    // Fills the buffer from `offset` on and returns how many bytes that were; 0 at the end.
    using Source = std::function<std::size_t(std::uint64_t offset, char* buffer, std::size_t size)>;

    explicit Lines(Source source) : source_(std::move(source)) {}

    // The next line that is not blank; false at the end. Throws what the source throws.
    bool next();

    std::size_t number() const { return number_; }   // from 1, blank lines included
    std::string_view text() const { return text_; }  // without its end; cut where the line is too long
    bool is_too_long() const { return is_too_long_; }

    void rewind();

private:
    bool read_line();
    void add(std::string_view piece);

    Source source_;
    std::string buffer_, text_;
    std::size_t used_ = 0;  // of the buffer
    std::uint64_t offset_ = 0;
    std::size_t number_ = 0;
    bool is_too_long_ = false;
};

}  // namespace tradepost::feeds
