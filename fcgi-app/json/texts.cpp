#include "json/texts.h"

#include <nlohmann/json.hpp>

namespace tradepost::json {

std::string dump(const std::vector<std::string>& texts) {
    return nlohmann::json(texts).dump();
}

std::string dump(const std::map<std::string, std::string>& texts) {
    return nlohmann::json(texts).dump();
}

std::vector<std::string> parse_texts(std::string_view json) {
    return nlohmann::json::parse(json).get<std::vector<std::string>>();
}

std::map<std::string, std::string> parse_text_map(std::string_view json) {
    return nlohmann::json::parse(json).get<std::map<std::string, std::string>>();
}

}  // namespace tradepost::json
