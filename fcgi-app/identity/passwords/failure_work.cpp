#include "identity/passwords/failure_work.h"

#include <algorithm>
#include <string>

namespace tradepost::identity {
namespace {

// All of a hash before its salt: "$argon2id$v=19$m=19456,t=2,p=1", "$argon2id$m=19456,t=2,p=1", "$2y$10$", "$wp$2y$10$", "$P$B".
std::string parameters_of(const std::string& hash) {
    if (hash.starts_with("$P$")) return hash.substr(0, 4);
    if (hash.starts_with("$wp$")) return hash.substr(0, 10);
    if (!hash.starts_with("$argon2")) return hash.substr(0, 7);
    std::size_t end = 0;
    for (int parts = hash.starts_with("$argon2id$v=") ? 3 : 2; parts > 0 && end != std::string::npos; --parts)
        end = hash.find('$', end + 1);
    return hash.substr(0, end);
}

std::string any_hash(const std::string& parameters) {
    if (parameters.starts_with("$argon2")) return parameters + "$" + std::string(22, 'A') + "$" + std::string(43, 'A');
    return parameters + std::string(parameters.starts_with("$P$") ? 30 : 53, '.');
}

}  // namespace

HashingWork FailureWork::get() {
    const auto now = clock_.now();
    if (!found_ || now - found_at_ >= std::chrono::minutes(1) || now < found_at_) {
        found_ = of_stored_hashes();
        found_at_ = now;
    }
    return *found_;
}

HashingWork FailureWork::of_stored_hashes() {
    auto work = passwords_.own_work();
    for (std::string after;;) {
        const auto rows = connection_.query(
            "SELECT password_hash FROM users FORCE INDEX (users_password_hash) WHERE password_hash > ? ORDER BY password_hash "
            "LIMIT 1",
            {after});
        if (rows.empty()) return work;
        const auto& hash = rows[0].text(0);
        const auto parameters = parameters_of(hash);
        work = most(work, passwords_.work_of(any_hash(parameters)));
        // No hash of these parameters sorts behind a tilde. A damaged one may, and must not be read again.
        after = std::max(hash, parameters + "~");
    }
}

}  // namespace tradepost::identity
