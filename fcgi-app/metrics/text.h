// Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
#pragma once
#include <string>
#include <vector>

#include "metrics/metrics.h"

namespace tradepost::metrics {

// The sums over all slots, those of ended workers included; routes without requests are left out. The worker that calls this is not
// counted as busy.
std::string render(const SharedMetrics& shared, const std::vector<RouteLabels>& routes);

}  // namespace tradepost::metrics
