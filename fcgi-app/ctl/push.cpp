// push key, and doctor's check of [push]
#include "ctl/push.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "core/file_descriptor.h"
#include "ctl/output.h"
#include "push/key.h"

namespace tradepost::ctl {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
    throw Failure(file.string() + ": " + why + ": " + std::strerror(errno));
}

// Who may read the configuration may read it.
void write_like(const fs::path& model, const fs::path& file, const std::string& line) {
    struct stat info {};
    if (stat(model.c_str(), &info) != 0) fail(model, "cannot be read");
    const core::FileDescriptor out(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (out.get() < 0 && errno == EEXIST)
        throw Failure(file.string() +
                      ": is there. With another key nobody gets messages who asked for them before; to make one, "
                      "move the file away");
    if (out.get() < 0) fail(file, "cannot be made");
    if (::write(out.get(), line.data(), line.size()) != ssize_t(line.size()) ||
        (geteuid() == 0 && fchown(out.get(), info.st_uid, info.st_gid) != 0) || fchmod(out.get(), info.st_mode & 0640) != 0 ||
        fsync(out.get()) != 0)
        fail(file, "cannot be written");
}

int make_key(Context& context) {
    const fs::path config = context.config().path;
    auto file = config;
    file.replace_extension("push-key");
    const auto key = push::Key::generate();
    write_like(config, file, core::to_base64url(key.private_key()) + "\n");
    const auto public_key = core::to_base64url(key.public_key());
    if (context.json)
        print({{"publicKey", public_key}, {"file", file.string()}});
    else
        std::cout << "[push]\npublic_key = \"" << public_key << "\"\nprivate_key_file = " << file.filename()
                  << "\ncontact = \"mailto:you@your.example\"\n";
    return 0;
}

void check_key(const core::PushConfig& config, Report& report) {
    const auto what = "key of push messages " + config.private_key_file;
    try {
        const auto key = push::Key::from_private(core::push_private_key(config));
        report.check(core::to_base64url(key.public_key()) == config.public_key, what,
                     "it is not the key of [push] public_key: correct that, or put the right file there");
    } catch (const std::exception& error) {
        report.check(false, what, error.what());
    }
}

void check_closed(const std::string& file, Report& report) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0) return;
    report.check((info.st_mode & S_IRWXO) == 0, "nobody else reads " + file, "chmod o-rwx " + file);
}

}  // namespace

void check_push(Context& context, Report& report) {
    const auto& config = context.config().push;
    if (!config.public_key.empty()) {
        check_key(config, report);
        check_closed(config.private_key_file, report);
    }
    if (config.relay_url.empty()) return;
    try {
        (void)core::relay_secret(config);
        report.check(true, "secret of the relay " + config.relay_secret_file, "");
    } catch (const core::ConfigError& error) {
        report.check(false, "secret of the relay " + config.relay_secret_file, error.what());
    }
    check_closed(config.relay_secret_file, report);
}

void add_push_commands(Command app, Context& context) {
    const auto key = app.add_group("push", "messages to browsers")
                         .add("key", "make the key of the service, beside its configuration, and print its settings");
    on(key, context, [&context] { return make_key(context); });
}

}  // namespace tradepost::ctl
