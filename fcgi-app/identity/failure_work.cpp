#include "identity/failure_work.h"

#include <string>

namespace tradepost::identity {
namespace {

// A hash with these parameters, as the query below finds them: all of a hash before its salt.
std::string any_hash(const std::string& parameters) {
    return parameters.starts_with("$argon2") ? parameters + "$" + std::string(22, 'A') + "$" + std::string(43, 'A')
                                             : parameters + std::string(53, '.');
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
    for (const auto& row : connection_.query(
             "SELECT DISTINCT CASE WHEN password_hash LIKE '$argon2id$v=%' THEN SUBSTRING_INDEX(password_hash, '$', 4) "
             "WHEN password_hash LIKE '$argon2%' THEN SUBSTRING_INDEX(password_hash, '$', 3) ELSE LEFT(password_hash, 7) END "
             "FROM users WHERE password_hash IS NOT NULL"))
        work = most(work, passwords_.work_of(any_hash(row.text(0))));
    return work;
}

}  // namespace tradepost::identity
