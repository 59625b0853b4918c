#include "files/inspection.h"

#include <algorithm>
#include <string_view>

#include "core/base64.h"
#include "files/child.h"
#include "files/intake.h"

namespace tradepost::files {
namespace {

// Prints what vips' loaders find in the header of a file; from Debian's libvips-tools.
constexpr const char* vipsheader_program = "/usr/bin/vipsheader";

// A colour space of profiles, by its signature (ICC.1:2022, 7.2.6), with vips' names of the pixels that it describes.
struct ColourSpace {
    std::string_view signature, pixels, deep_pixels;
};
constexpr ColourSpace colour_spaces[] = {{"RGB ", "srgb", "rgb16"}, {"GRAY", "b-w", "grey16"}, {"CMYK", "cmyk", "cmyk"}};

ChildResult ask(const Work& work, std::vector<std::string> arguments, std::chrono::steady_clock::time_point deadline,
                bool every_format = false) {
    ChildLimits limits;
    limits.every_format = every_format;
    limits.deadline = deadline;
    arguments.insert(arguments.begin(), vipsheader_program);
    return run_child(arguments, work.path(), limits);
}

}  // namespace

bool has_fitting_profile(const Work& work, const std::string& name, const std::string& field,
                         std::chrono::steady_clock::time_point deadline) {
    const auto told = [&](std::vector<std::string> arguments) {
        auto result = ask(work, std::move(arguments), deadline);
        if (result.end == ChildEnd::killed) throw Undecodable(http::invalid_field(field, no_picture));
        return result;
    };
    const auto profile = told({"-f", "icc-profile-data", name});
    if (profile.end != ChildEnd::succeeded) return false;
    // The header is printed as base64: the signature is its bytes 16 to 19.
    const auto beginning = core::from_base64(std::string_view(profile.output).substr(0, 28));
    if (!beginning || beginning->size() < 20) return false;
    const auto* const space =
        std::ranges::find(colour_spaces, std::string_view(*beginning).substr(16, 4), &ColourSpace::signature);
    if (space == std::end(colour_spaces)) return false;
    // One line, such as "in: 64x64 uchar, 3 bands, srgb, jpegload".
    const auto summary = told({name}).output;
    return std::ranges::any_of(std::initializer_list{space->pixels, space->deep_pixels}, [&](std::string_view pixels) {
        return summary.find(", " + std::string(pixels) + ", ") != std::string::npos;
    });
}

std::string pdf_fault(const Work& work, const std::string& name, std::chrono::steady_clock::time_point deadline) {
    const auto result = ask(work, {name}, deadline, true);
    if (result.end == ChildEnd::succeeded) return {};
    if (result.end == ChildEnd::timed_out) throw Undecodable(http::service_unavailable("reading a PDF took too long"));
    const auto says = [&](std::string_view text) { return result.messages.find(text) != std::string::npos; };
    if (says("not a known file format")) throw std::runtime_error("vips has no module that reads PDFs");
    if (says("encrypted")) return "must be a PDF that opens without a password";  // as Poppler calls it
    return "must be a PDF with pages that can be read";
}

}  // namespace tradepost::files
