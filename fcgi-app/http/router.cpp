#include "http/router.h"

#include <algorithm>

#include "core/text.h"
#include "http/query.h"

namespace tradepost::http {
namespace {

// The segments after the leading slash; a trailing slash makes an empty last one.
std::vector<std::string_view> split(std::string_view path) {
    std::vector<std::string_view> segments;
    while (path.starts_with('/')) {
        const auto end = path.find('/', 1);
        segments.push_back(path.substr(1, end == std::string_view::npos ? end : end - 1));
        path = end == std::string_view::npos ? std::string_view() : path.substr(end);
    }
    return segments;
}

bool is_parameter(std::string_view segment) {
    return segment.starts_with('{');
}

}  // namespace

void Router::add(std::string_view method, std::string_view pattern, std::size_t row) {
    auto found = std::find_if(resources_.begin(), resources_.end(), [&](const Resource& r) { return r.pattern == pattern; });
    if (found == resources_.end()) {
        Resource resource{std::string(pattern), {}, {}};
        for (const auto segment : split(pattern)) resource.segments.emplace_back(segment);
        found = resources_.insert(resources_.end(), std::move(resource));
        // Literal segments sort before {name}, so the first fit is the best one.
        const std::string inserted = found->pattern;
        std::stable_sort(resources_.begin(), resources_.end(), [](const Resource& a, const Resource& b) {
            return std::lexicographical_compare(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
                                                [](const auto& x, const auto& y) { return is_parameter(x) < is_parameter(y); });
        });
        found = std::find_if(resources_.begin(), resources_.end(), [&](const Resource& r) { return r.pattern == inserted; });
    }
    found->rows.emplace_back(method, row);
}

std::optional<Router::Match> Router::match(std::string_view raw_path) const {
    std::vector<std::string> segments;
    for (const auto raw : split(raw_path)) {
        auto segment = percent_decode(raw, false);
        if (!segment || segment->find('\0') != std::string::npos || !core::is_utf8(*segment)) return {};
        segments.push_back(std::move(*segment));
    }
    for (std::size_t i = 0; i < resources_.size(); ++i) {
        const auto& pattern = resources_[i].segments;
        if (pattern.size() != segments.size()) continue;
        Match match{i, {}};
        bool fits = true;
        for (std::size_t s = 0; fits && s < segments.size(); ++s) {
            const bool parameter = is_parameter(pattern[s]);
            fits = parameter ? !segments[s].empty() : pattern[s] == segments[s];
            if (parameter) match.parameters.push_back(segments[s]);
        }
        if (fits) return match;
    }
    return {};
}

std::optional<std::size_t> Router::row(const Match& match, std::string_view method) const {
    if (method == "HEAD") method = "GET";
    for (const auto& [name, row] : resources_[match.resource].rows)
        if (name == method) return row;
    return {};
}

std::string Router::allow(const Match& match) const {
    std::string list;
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})
        if (row(match, method)) list.append(method).append(", ");
    return list + "OPTIONS";
}

}  // namespace tradepost::http
