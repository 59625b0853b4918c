// Fault injection: a third stack whose files and services tests break and mend again. As root it has a mount namespace of its own.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "support/stack.h"

namespace tradepost::test {

// Logs slow requests, from 1 ms on, and errors only. Its folder can be entered by other users.
Stack& fault_injection_stack();
// -1: it did not run. Removes its folder.
int stop_fault_injection_stack();

// Runs a program that sees the files as the stack does. Throws std::runtime_error when it fails.
std::string inside(const std::vector<std::string>& command);

// Has nginx read its configuration again; returns when no process of it works by the old one.
void reload_nginx();

// While it lives, files of the stack say something else.
class Changed {
public:
    explicit Changed(const std::string& file);  // in the stack's folder
    ~Changed();
    Changed(const Changed&) = delete;
    Changed& operator=(const Changed&) = delete;

    // Throws std::runtime_error unless `from` occurs.
    void replace(const std::string& from, const std::string& to);
    void append(const std::string& text);

protected:
    void restore() const { write(before_); }

private:
    void write(const std::string& text) const;
    std::filesystem::path path_;
    std::string before_;
};

// The same for files of nginx, which reads them again when it ends, and with reload_nginx().
class NginxChanged : public Changed {
public:
    using Changed::Changed;
    ~NginxChanged();
};

// A file system mounted over a path of the stack, as root.
class Mounted {
public:
    // `arguments` of mount(8), the path last.
    explicit Mounted(const std::vector<std::string>& arguments);
    ~Mounted();
    Mounted(const Mounted&) = delete;
    Mounted& operator=(const Mounted&) = delete;

private:
    std::string path_;
};

}  // namespace tradepost::test
