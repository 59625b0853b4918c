// The letters that this product sends, with what their templates may name.
#pragma once
#include <string>
#include <vector>

#include "core/config.h"
#include "mail/templates.h"

namespace tradepost::mail {

// By which letters call this service: the name in [mail] from, or the host of [http] base_url.
std::string service_name(const core::Config& config);

// What is wrong with the templates, one line for each letter that cannot be written; empty when all can.
std::vector<std::string> template_faults(const Templates& templates);

}  // namespace tradepost::mail
