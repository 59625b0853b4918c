// Enquiries of the demo data, to be written last: they are about the rest of it.
#pragma once
#include <span>

#include "core/uuid.h"
#include "identity/organisation.h"
#include "writes/transaction.h"

namespace tradepost::ctl::demo {

struct EnquiryTargets {
    std::span<const identity::Organisation> organisations;  // at least one
    std::size_t jobs, stock;                                // how many of them there are
    core::Uuid user;                                        // who signs in to look around
};

// The first `count` of them; what is there already stays as it is. Returns how many were written. For use inside a transaction.
std::size_t write_enquiries(writes::WriteTransaction& transaction, std::size_t count, const EnquiryTargets& targets,
                            core::Time now);

}  // namespace tradepost::ctl::demo
