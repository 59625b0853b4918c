// Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
#pragma once
#include <string>
#include <vector>

#include "metrics/metrics.h"

namespace tradepost::metrics {

// The sums over all slots, of workers that live and that have ended; of what never happened on a route, nothing. The worker that
// asks is not counted as busy.
std::string render(const SharedFigures& figures, const std::vector<RouteLabels>& routes);

}  // namespace tradepost::metrics
