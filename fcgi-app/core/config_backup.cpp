#include "core/config_backup.h"

#include <sys/stat.h>

#include "core/config_section.h"

namespace tradepost::core {

void read_backup(Section s, BackupConfig& backup) {
    s.read("directory", backup.directory);
    s.read("keep", backup.keep, 1, 9999);
    s.read("encrypt_to", backup.encrypt_to);
    s.read("identity", backup.identity);
    s.finish();
    for (const auto& [key, path] : {std::pair("directory", &backup.directory), {"identity", &backup.identity}})
        if (!path->empty() && !path->starts_with('/')) s.fail(*s.find(key), key, "must be an absolute path");
    for (const char* key : {"keep", "encrypt_to", "identity"})
        if (const auto* node = s.find(key); node && backup.directory.empty()) s.fail(*node, key, "needs directory");
    if (!backup.identity.empty() && backup.encrypt_to.empty()) s.fail(*s.find("identity"), "identity", "needs encrypt_to");
}

std::optional<Time> Config::last_done(const char* mark) const {
    struct stat found {};
    if (stat((path.substr(0, path.rfind('/') + 1) + instance + "." + mark).c_str(), &found) != 0) return {};
    return Time(std::chrono::seconds(found.st_mtime));
}

}  // namespace tradepost::core
