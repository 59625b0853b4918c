// The texts of letters, from template files.
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tradepost::mail {

// `what()` names the file and what to do.
struct TemplateError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Texts {
    std::string subject, text, html;
};

class Templates {
public:
    // A file is looked for in each of these folders, the first one that has it wins.
    explicit Templates(std::vector<std::string> folders) : folders_(std::move(folders)) {}

    // `values`: an object of texts, booleans, and lists of such objects. Values in HTML are escaped. Throws TemplateError when a file is
    // missing, is no template, or names a value that is not there.
    Texts render(std::string_view letter, const json::Json& values) const;

private:
    std::string read(const std::string& file, std::string& path) const;

    std::vector<std::string> folders_;
};

// The operator's folder beside the configuration file, then that of the source tree or installation that this program is part of.
Templates templates_of(const std::string& config_path);

}  // namespace tradepost::mail
