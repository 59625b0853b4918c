#include "core/shared_file.h"

#include <unistd.h>

namespace tradepost::core {

bool FileSharing::fits(const struct stat& file) const {
    return file.st_uid == geteuid() || (mode == 0660 && file.st_gid == group);
}

FileSharing file_sharing(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) return {};
    const bool shared = (status.st_mode & S_ISGID) && (status.st_mode & S_IWGRP) && !(status.st_mode & S_IWOTH);
    return shared ? FileSharing{0660, status.st_gid} : FileSharing{};
}

}  // namespace tradepost::core
