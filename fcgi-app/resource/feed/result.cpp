#include "resource/feed/result.h"

#include <algorithm>

#include "json/writer.h"

namespace tradepost::feeds {

void Result::fail(Failure failure) {
    ++failed;
    const auto later = [](std::size_t line, const Failure& other) { return line < other.line; };
    failures.insert(std::upper_bound(failures.begin(), failures.end(), failure.line, later), std::move(failure));
    if (failures.size() > most_shown) failures.pop_back();
}

std::string render(const Result& result, bool dry_run) {
    json::Writer writer;
    writer.begin_object();
    for (const auto& [name, number] :
         {std::pair("created", result.created), std::pair("updated", result.updated), std::pair("unchanged", result.unchanged),
          std::pair("archived", result.archived), std::pair("failed", result.failed)})
        writer.member(name, std::int64_t(number));
    writer.name("failures").begin_array();
    for (const auto& failure : result.failures)
        writer.begin_object()
            .member("line", std::int64_t(failure.line))
            .member("reference", failure.reference)
            .member("error", failure.error)
            .end_object();
    writer.end_array().member("dryRun", dry_run).end_object();
    return writer.take();
}

}  // namespace tradepost::feeds
