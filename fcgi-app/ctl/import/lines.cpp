#include "ctl/import/lines.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/text.h"

namespace tradepost::ctl {
namespace {
constexpr std::size_t longest = 4 << 20;
}

Lines::Lines(const std::string& path) : name_(path) {
    const bool standard_input = path == "-";
    if (!standard_input) file_.reset(std::fopen(path.c_str(), "re"));
    // The analyser does not see that a unique_ptr closes.
    std::FILE* const opened = standard_input ? stdin : file_.get();  // NOLINT(clang-analyzer-unix.Stream)
    if (!opened) throw Failure(path + ": cannot be opened: " + std::strerror(errno));
    struct stat info {};
    if (fstat(fileno(opened), &info) != 0) throw Failure(path + ": cannot be read: " + std::strerror(errno));
    if (S_ISDIR(info.st_mode)) throw Failure(path + ": is a directory; name a file of JSON lines");
    if (S_ISREG(info.st_mode) && !standard_input) {
        size_ = std::uint64_t(info.st_size);
        return;
    }
    std::unique_ptr<std::FILE, Closer> copy(std::tmpfile());  // NOLINT(clang-analyzer-unix.Stream)
    char buffer[1 << 16];
    for (std::size_t count = copy ? sizeof buffer : 0; count == sizeof buffer; size_ += count) {
        count = std::fread(buffer, 1, sizeof buffer, opened);
        if (std::fwrite(buffer, 1, count, copy.get()) != count)
            throw Failure("the temporary copy of " + path + " cannot be written: make room in /tmp, or import a file");
    }
    if (!copy || std::ferror(opened) || std::fflush(copy.get()) != 0)
        throw Failure("the temporary copy of " + path + " cannot be made: make room in /tmp, or import a file");
    file_ = std::move(copy);
    rewind(stage_);
}

Lines::Lines(const std::string& name, const std::string& text)
    : name_(name), file_(fmemopen(const_cast<char*>(text.data()), text.size(), "r")), size_(text.size()) {
    if (!file_) throw Failure(name + ": cannot be read: " + std::strerror(errno));
}

Lines::Lines(const std::string& name, std::FILE* file, std::vector<std::string> keys)
    : name_(name), file_(file), keys_(std::move(keys)) {
    struct stat info {};
    if (std::fflush(file) != 0 || fstat(fileno(file), &info) != 0)
        throw Failure("the temporary copy of " + name + " cannot be written: make room in /tmp");
    size_ = std::uint64_t(info.st_size);
    rewind(stage_);
}

Lines::~Lines() {
    if (drawn_ >= 0) (void)std::fprintf(stderr, "\r\033[K");
}

void Lines::rewind(const char* stage) {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) throw Failure(name_ + ": cannot be read: " + std::strerror(errno));
    number_ = 0;
    read_ = 0;
    stage_ = stage;
}

std::string Lines::place(std::size_t line) const {
    const auto number = std::to_string(line);
    return keys_.empty() ? "line " + number : "row " + number + " (key " + key(line) + ")";
}

Failure Lines::fault(std::size_t line, const std::string& why) const {
    return Failure(name_ + ":" + (keys_.empty() ? std::to_string(line) : " " + place(line)) + ": " + why);
}

bool Lines::next() {
    while (read_line())
        if (is_too_long_ || !core::trim(text_).empty()) return true;
    return false;
}

bool Lines::read_line() {
    text_.clear();
    is_too_long_ = false;
    bool any = false;
    for (int c; (c = getc_unlocked(file_.get())) != EOF;) {
        any = true;
        ++read_;
        if (c == '\n') break;
        is_too_long_ = text_.size() == longest;
        if (!is_too_long_) text_ += char(c);
    }
    if (std::ferror(file_.get())) throw Failure(name_ + ": cannot be read: " + std::strerror(errno));
    if (any) ++number_;
    draw(!any);
    return any;
}

void Lines::draw(bool final) {
    static const bool terminal = isatty(STDERR_FILENO) == 1;
    const int percent = final || size_ == 0 ? 100 : int(std::min<std::uint64_t>(100, read_ * 100 / size_));
    if (!terminal || percent == drawn_) return;
    drawn_ = percent;
    const std::string bar = std::string(std::size_t(percent) * 2 / 5, '#');
    (void)std::fprintf(stderr, "\r%-8s [%-40s] %3d%%", stage_, bar.c_str(), percent);
}

}  // namespace tradepost::ctl
