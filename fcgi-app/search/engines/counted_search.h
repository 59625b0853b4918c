// Counts how long an engine takes, for /metrics.
#pragma once
#include <memory>
#include <string>

#include "lists/search_engine.h"
#include "metrics/metrics.h"

namespace tradepost::search {

// `metrics` may be null. Borrows it.
class CountedSearch final : public lists::SearchEngine {
public:
    CountedSearch(std::unique_ptr<lists::SearchEngine> engine, std::string name, metrics::Metrics* metrics)
        : engine_(std::move(engine)), name_(std::move(name)), metrics_(metrics) {}

    lists::Matches find(const lists::Selection& selection, db::Slice slice, core::Time now) override {
        const Counted counted{*this};
        return engine_->find(selection, slice, now);
    }
    lists::Facets facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) override {
        const Counted counted{*this};
        return engine_->facets(selection, fields, now);
    }
    bool is_current() const override { return engine_->is_current(); }

private:
    // Also what ends by an exception.
    struct Counted {
        CountedSearch& search;
        std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
        ~Counted() {
            if (search.metrics_) search.metrics_->searched(search.name_, std::chrono::steady_clock::now() - begun);
        }
    };

    std::unique_ptr<lists::SearchEngine> engine_;
    std::string name_;
    metrics::Metrics* metrics_;
};

}  // namespace tradepost::search
