// The lines of an import, read twice.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "ctl/context.h"

namespace tradepost::ctl {

// What is no regular file (standard input as "-", a pipe) is copied into an unnamed temporary file first. Draws a progress bar on
// standard error when that is a terminal.
class Lines {
public:
    // Throws Failure when the file cannot be opened or the copy not be made.
    explicit Lines(const std::string& path);
    // Lines that are in memory and must stay there. `name`: of the file that errors name.
    Lines(const std::string& name, const std::string& text);
    // Lines that were written to `file` from the rows of a query. `keys`: what each row is called there.
    Lines(const std::string& name, std::FILE* file, std::vector<std::string> keys);
    ~Lines();
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    // The next line that is not blank; false at the end. Throws Failure for a file that cannot be read.
    bool next();
    bool is_too_long() const { return is_too_long_; }  // over 4 MiB: its text is cut there
    std::size_t number() const { return number_; }     // from 1
    const std::string& text() const { return text_; }

    void rewind(const char* stage);  // what the progress bar calls the reading that begins now

    // What a person calls a line: "line 12", or "row 12 (key 4711)".
    std::string place(std::size_t line) const;
    // Of a row's key, or empty.
    std::string key(std::size_t line) const { return line <= keys_.size() ? keys_[line - 1] : ""; }
    // "FILE:12: why" as a Failure, or "NAME: row 12 (key 4711): why".
    Failure fault(std::size_t line, const std::string& why) const;

private:
    struct Closer {
        void operator()(std::FILE* file) const { (void)std::fclose(file); }
    };
    bool read_line();
    void draw(bool final);

    std::string name_;
    std::unique_ptr<std::FILE, Closer> file_;
    std::vector<std::string> keys_;
    std::string text_;
    std::size_t number_ = 0;
    bool is_too_long_ = false;
    std::uint64_t read_ = 0, size_ = 0;
    const char* stage_ = "checking";
    int drawn_ = -1;  // per cent
};

}  // namespace tradepost::ctl
