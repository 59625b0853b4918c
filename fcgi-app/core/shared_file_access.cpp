#include "core/shared_file_access.h"

#include <unistd.h>

namespace tradepost::core {

bool SharedFileAccess::allows(const struct stat& file) const {
    return file.st_uid == geteuid() || (mode == 0660 && file.st_gid == group);
}

SharedFileAccess shared_file_access(const std::string& path) {
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) return {};
    const bool shared = (status.st_mode & S_ISGID) && (status.st_mode & S_IWGRP) && !(status.st_mode & S_IWOTH);
    return shared ? SharedFileAccess{0660, status.st_gid} : SharedFileAccess{};
}

}  // namespace tradepost::core
