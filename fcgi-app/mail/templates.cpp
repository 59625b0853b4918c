#include "mail/templates.h"

#include <filesystem>
#include <fstream>
#include <kainjow/mustache.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text.h"

namespace tradepost::mail {
namespace {

namespace fs = std::filesystem;
namespace mustache = kainjow::mustache;

mustache::data to_data(const json::Json& value) {
    if (value.is_boolean()) return mustache::data(value.get<bool>());
    if (value.is_string()) return mustache::data(value.get<std::string>());
    if (value.is_array()) {
        mustache::data list(mustache::data::type::list);
        for (const auto& item : value) list << to_data(item);
        return list;
    }
    if (value.is_object()) {
        mustache::data object(mustache::data::type::object);
        for (const auto& [name, member] : value.items()) object.set(name, to_data(member));
        return object;
    }
    if (value.is_null()) return mustache::data(false);
    return mustache::data(value.dump());  // a number
}

// Mustache takes an unknown name for an empty text; a letter without its link helps nobody.
class StrictContext : public mustache::context<std::string> {
public:
    StrictContext(const mustache::data& data, const std::string& path) : context(&data), path_(path) {}
    const mustache::data* get(const std::string& name) const override {
        if (const auto* found = context::get(name)) return found;
        throw TemplateError(path_ + ": this letter has no {{" + name + "}}; correct the name");
    }
    const mustache::data* get_partial(const std::string& name) const override {
        throw TemplateError(path_ + ": {{>" + name + "}} is not supported; write its text here");
    }

private:
    const std::string& path_;
};

std::string render_file(const std::string& path, const std::string& source, const mustache::data& data, bool html) {
    // They write a value unescaped, or change what a tag is.
    for (const char* tag : {"{{{", "{{&", "{{="})
        if (source.find(tag) != std::string::npos) throw TemplateError(path + ": " + tag + " is not supported; write {{name}}");
    mustache::mustache parsed(source);
    if (!parsed.is_valid()) throw TemplateError(path + ": is no Mustache template: " + parsed.error_message());
    if (!html) parsed.set_custom_escape([](const std::string& text) { return text; });
    StrictContext context(data, path);
    return parsed.render(context);
}

}  // namespace

std::string Templates::read(const std::string& file, std::string& path) const {
    for (const auto& folder : folders_) {
        std::error_code missing;
        path = folder + "/" + file;
        if (!fs::exists(path, missing)) continue;
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        if (!in || !(text << in.rdbuf()) || !core::is_utf8(text.str()))
            throw TemplateError(path + ": cannot be read, is empty or not in UTF-8; correct or remove it");
        return text.str();
    }
    throw TemplateError(file + ": is in no folder of templates; install it, or write your own");
}

Texts Templates::render(std::string_view letter, const json::Json& values) const {
    const auto data = to_data(values);
    const std::string name(letter);
    std::string path;
    const auto source = read(name + ".txt", path);
    // A value with a line break must not move the rest of the subject into the text.
    const auto source_end = source.find('\n');
    Texts texts;
    texts.subject = core::trim(render_file(path, source.substr(0, source_end), data, false));
    if (texts.subject.empty()) throw TemplateError(path + ": the first line must be the subject of the letter");
    const auto body = source.find_first_not_of("\r\n", source_end);
    if (source_end != std::string::npos && body != std::string::npos)
        texts.text = render_file(path, source.substr(body), data, false);
    const auto html = read(name + ".html", path);
    texts.html = render_file(path, html, data, true);
    return texts;
}

Templates templates_of(const std::string& config_path) {
    std::vector<std::string> folders{fs::path(config_path).replace_extension(".mail").string()};
    std::error_code failure;
    const fs::path program = fs::read_symlink("/proc/self/exe", failure).parent_path();
    // build/ of a source tree, bin/ of an installation's prefix, then the system's own.
    for (const auto& place : {program / "../fcgi-app/mail/templates", program / "../../fcgi-app/mail/templates",
                              program / "../share/tradepost/mail", fs::path("/usr/share/tradepost/mail")})
        if (fs::is_regular_file(place / "test.txt", failure)) {
            folders.push_back(fs::canonical(place, failure).string());
            break;
        }
    return Templates(std::move(folders));
}

}  // namespace tradepost::mail
