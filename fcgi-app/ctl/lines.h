// The lines of an import, read twice.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

#include "ctl/context.h"

namespace tradepost::ctl {

// What is no regular file (standard input as "-", a pipe) is copied into an unnamed temporary file first. Draws a progress bar on
// standard error when that is a terminal.
class Lines {
public:
    // Throws Failure when the file cannot be opened or the copy not be made.
    explicit Lines(const std::string& path);
    ~Lines();
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    // The next line that is not blank; false at the end. Throws Failure for a line over 4 MiB or a file that cannot be read.
    bool next();
    std::size_t number() const { return number_; }  // from 1
    const std::string& text() const { return text_; }

    void rewind(const char* stage);  // what the progress bar calls the reading that begins now

    // "FILE:12: why" as a Failure.
    Failure fault(std::size_t line, const std::string& why) const {
        return Failure(name_ + ":" + std::to_string(line) + ": " + why);
    }
    Failure fault(const std::string& why) const { return fault(number_, why); }

private:
    struct Closer {
        void operator()(std::FILE* file) const { (void)std::fclose(file); }
    };
    bool read_line();
    void draw(bool final);

    std::string name_;
    std::unique_ptr<std::FILE, Closer> file_;
    std::string text_;
    std::size_t number_ = 0;
    std::uint64_t read_ = 0, size_ = 0;
    const char* stage_ = "checking";
    int drawn_ = -1;  // per cent
};

}  // namespace tradepost::ctl
