// Which users may open the files that all workers of an instance map. They belong to one user, unless pools run as different
// users: then these have a group in common, and the folder says so.
#pragma once
#include <sys/stat.h>

#include <string>

namespace tradepost::core {

struct SharedFileAccess {
    mode_t mode = 0600;
    gid_t group = 0;  // with mode 0660

    // Whether an existing file may be used: it is ours, or belongs to the group.
    bool allows(const struct stat& file) const;
};

// For a file at `path`: 0660 when its folder gives files its own group (setgid), is writable for that group and for nobody else;
// otherwise 0600.
SharedFileAccess shared_file_access(const std::string& path);

}  // namespace tradepost::core
