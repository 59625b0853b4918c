#include "mail/letters.h"

#include <nlohmann/json.hpp>

#include "mail/address.h"

namespace tradepost::mail {
namespace {

// All values of each letter.
const std::vector<std::pair<std::string, json::Json>>& examples() {
    static const std::vector<std::pair<std::string, json::Json>> examples{
        {"test", {{"service", "Example"}}},
        {"reset",
         {{"service", "Example"},
          {"name", "Ada"},
          {"email", "ada@a.example"},
          {"minutes", "30"},
          {"link", "https://a.example/"}}},
        {"invitation",
         {{"service", "Example"},
          {"inviter", "Ada"},
          {"organisation", "Ashford"},
          {"email", "max@a.example"},
          {"days", "7"},
          {"link", "https://a.example/"}}},
        {"email-change",
         {{"service", "Example"},
          {"name", "Ada"},
          {"email", "ada@a.example"},
          {"newEmail", "ada@b.example"},
          {"minutes", "60"},
          {"link", "https://a.example/"}}},
        {"email-taken",
         {{"service", "Example"},
          {"newEmail", "ada@b.example"},
          {"signIn", "https://a.example/"},
          {"forgot", "https://a.example/"}}},
        {"email-warning",
         {{"service", "Example"},
          {"name", "Ada"},
          {"email", "ada@a.example"},
          {"newEmail", "ada@b.example"},
          {"minutes", "60"},
          {"forgot", "https://a.example/"}}},
        {"token-expires",
         {{"service", "Example"},
          {"name", "Ada"},
          {"token", "Night feed"},
          {"program", "DMS"},
          {"ends", "2026-05-30"},
          {"docs", "https://a.example/"},
          {"link", "https://a.example/"}}},
        {"token-revoked",
         {{"service", "Example"},
          {"name", "Ada"},
          {"token", "Night feed"},
          {"program", "DMS"},
          {"reason", "in an address"},
          {"link", "https://a.example/"}}},
        {"webhook",
         {{"service", "Example"},
          {"name", "Ada"},
          {"organisation", "Ashford"},
          {"url", "https://hooks.a.example/"},
          {"reason", "it failed for 3 days"},
          {"link", "https://a.example/"}}},
        {"enquiry",
         {{"service", "Example"},
          {"name", "Ada"},
          {"organisation", "Ashford"},
          {"sender", "Sam"},
          {"senderEmail", "sam@a.example"},
          {"senderPhone", "0113 496 0001"},
          {"message", "Is it there?"},
          {"about", "Ford Transit"},
          {"reference", "VAN-1"},
          {"sentAt", "Sun, 01 Mar 2026 12:00:00 GMT"},
          {"link", "https://a.example/"},
          {"settings", "https://a.example/"},
          {"unsubscribe", "https://a.example/"}}},
        {"digest",
         {{"service", "Example"},
          {"name", "Ada"},
          {"organisation", "Ashford"},
          {"count", "2 new enquiries"},
          {"more", "1"},
          {"enquiries", json::Json::array({{{"sender", "Sam"},
                                            {"senderEmail", "sam@a.example"},
                                            {"senderPhone", "0113 496 0001"},
                                            {"message", "Is it there?"},
                                            {"about", "Ford Transit"},
                                            {"reference", "VAN-1"},
                                            {"sentAt", "Sun, 01 Mar 2026 12:00:00 GMT"},
                                            {"link", "https://a.example/"}}})},
          {"list", "https://a.example/"},
          {"settings", "https://a.example/"},
          {"unsubscribe", "https://a.example/"}}},
    };
    return examples;
}

}  // namespace

std::string service_name(const core::Config& config) {
    if (const auto from = parse_mailbox(config.mail.from); from && !from->name.empty()) return from->name;
    const std::string_view url = config.http.base_url;
    const auto scheme = url.find("://");
    const auto host = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
    return std::string(host.substr(0, host.find_first_of("/:")));
}

std::vector<std::string> template_faults(const Templates& templates) {
    std::vector<std::string> faults;
    for (const auto& [letter, values] : examples()) try {
            (void)templates.render(letter, values);
        } catch (const TemplateError& error) {
            faults.emplace_back(error.what());
        }
    return faults;
}

}  // namespace tradepost::mail
