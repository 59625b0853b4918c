// The settings of [backup], which tradepost-instance uses.
#pragma once
#include <cstdint>
#include <string>

namespace tradepost::core {

struct BackupConfig {
    std::string directory;   // absolute; empty: backups are not configured
    std::uint32_t keep = 0;  // how many backups stay; 0: all
    std::string encrypt_to;  // a recipient of age or a key of gpg; empty: backups are not encrypted
    std::string identity;    // the file of age's key, absolute; empty: this host cannot decrypt
    bool is_configured() const { return !directory.empty(); }
};

}  // namespace tradepost::core
