#include "deliver/policy.h"

#include <algorithm>

namespace tradepost::deliver {

Verdict judge(const Policy& policy, int status) {
    if (status / 100 == 2) return Verdict::taken;
    if (std::find(policy.gone.begin(), policy.gone.end(), status) != policy.gone.end()) return Verdict::gone;
    const bool may_pass = status >= 500 || status == 408 || status == 425 || status == 429;
    return may_pass || !policy.refusals_end ? Verdict::later : Verdict::refused;
}

Verdict judge(const Policy& policy, const net::Answer& answer) {
    if (answer.failure.empty()) return judge(policy, answer.status);
    const bool may_pass = !answer.refused && !answer.too_large;
    return may_pass || !policy.refusals_end ? Verdict::later : Verdict::refused;
}

}  // namespace tradepost::deliver
