// Who may open the files that all workers of an instance map. They are one user's, unless a pool runs as another (the one that
// takes uploads runs as nginx's user, to open what nginx wrote): then they share a group, and the folder says so.
#pragma once
#include <sys/stat.h>

#include <string>

namespace tradepost::core {

struct FileSharing {
    mode_t mode = 0600;
    gid_t group = 0;  // when the mode is 0660

    // Whether a file that is there was made by these rules, by us or by another of the group.
    bool fits(const struct stat& file) const;
};

// For a file at `path`: 0660 when its folder gives files its own group (setgid), is writable for that and for nobody else; else
// 0600.
FileSharing file_sharing(const std::string& path);

}  // namespace tradepost::core
