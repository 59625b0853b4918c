// Lists and maps of texts as JSON, the form in which columns hold them.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::json {

// Throws nlohmann's exception for a text that is no valid UTF-8.
std::string dump(const std::vector<std::string>& texts);
std::string dump(const std::map<std::string, std::string>& texts);

// The other way around. Both throw nlohmann's exception for any other JSON.
std::vector<std::string> parse_texts(std::string_view json);
std::map<std::string, std::string> parse_text_map(std::string_view json);

}  // namespace tradepost::json
