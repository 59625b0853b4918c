// org remove
#include <unistd.h>

#include <iostream>

#include "core/text.h"
#include "ctl/organisations.h"
#include "ctl/output.h"
#include "ctl/removal.h"

namespace tradepost::ctl {
namespace {

void refuse_in_use(const std::string& slug, const std::vector<Belonging>& all) {
    std::string used;
    const auto add = [&](const std::string& what, std::int64_t count) {
        if (count > 0) used += (used.empty() ? "" : ", ") + what + ": " + std::to_string(count);
    };
    for (const auto& each : all) {
        if (each.kind == "stock") add("stock", each.count);
        add("published " + each.kind, each.published);
    }
    if (!used.empty()) throw Failure(slug + " is in use (" + used + "): nothing was removed; to remove all of it, add --yes");
}

void confirm(const std::string& slug, const std::vector<Belonging>& all, bool json) {
    if (!isatty(STDIN_FILENO)) throw WrongUsage("there is no terminal to ask at: add --yes to remove " + slug);
    auto& out = json ? std::cerr : std::cout;
    out << "This deletes for ever the organisation " << slug << "\n";
    for (const auto& each : all)
        if (each.count > 0) out << "    " << each.kind << ": " << each.count << "\n";
    out << "To delete all of that, type " << slug << ": " << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    if (core::trim(answer) != slug) throw Failure("nothing was removed");
}

}  // namespace

int remove_organisation(Context& context, const std::string& slug, bool yes) {
    const auto organisation = context.organisation(slug);
    const auto all = belongings(context.connection(), organisation.id);
    if (!yes) {
        refuse_in_use(slug, all);
        confirm(slug, all, context.json);
    }
    files::Store store(context.config().uploads.directory);
    const auto files_left = remove_organisation(context.connection(), context.clock, store, organisation);
    Json removed = Json::object();
    for (const auto& each : all) removed[each.kind] = each.count;
    if (context.json) {
        print({{"id", organisation.id.to_string()}, {"slug", slug}, {"removed", removed}, {"filesLeft", files_left}});
    } else {
        std::cout << "removed " << slug << " " << organisation.id.to_string() << "\n";
        for (const auto& [kind, count] : removed.items())
            if (count > 0) std::cout << kind << ": " << count << "\n";
    }
    if (files_left > 0)
        std::cerr << "tradepostctl: the files of " << files_left
                  << " uploads could not be removed: tradepostctl prune removes them\n";
    return 0;
}

}  // namespace tradepost::ctl
