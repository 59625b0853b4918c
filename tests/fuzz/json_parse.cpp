// Any bytes are one strict JSON value or refused; what is written from a value or a text parses as what it was.
#include <cstdint>
#include <cstdlib>

#include "core/slug.h"
#include "core/text.h"
#include "fields/json.h"
#include "identity/organisations/organisation.h"
#include "json/parse.h"
#include "json/writer.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"

using namespace tradepost;
using json::Json;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

int depth(const Json& value) {
    if (!value.is_structured()) return 0;
    int deepest = 0;
    for (const auto& item : value) deepest = std::max(deepest, depth(item));
    return deepest + 1;
}

void require_written(std::string_view text) {
    json::Writer writer;
    writer.begin_object().member("text", text).name("list").begin_array().value(text).null().end_array().end_object();
    require(core::is_utf8(writer.text()));
    const Json value = json::parse(writer.text());
    require(value.size() == 2 && value["list"].size() == 2 && value["text"] == value["list"][0]);
    if (core::is_utf8(text)) require(value["text"] == text);
    require(core::is_utf8(value["text"].get_ref<const std::string&>()));
    const std::string slug = core::slugify(value["text"].get_ref<const std::string&>(), "job");
    require(core::is_slug(slug));
}

// A resource that a body makes is written as one that reads back the same.
template <class T>
void require_fields(const Json& body, std::span<const fields::Field<T>> fields) {
    const auto written = [&](const T& resource) {
        json::Writer writer;
        writer.begin_object();
        fields::write_fields<T>(writer, fields, resource, true);
        writer.end_object();
        return writer.take();
    };
    for (const auto reading : {fields::Reading::create, fields::Reading::change, fields::Reading::import}) {
        T resource{};
        try {
            fields::read_fields<T>(body, fields, resource, reading);
        } catch (const http::ApiError& error) {
            require(error.status == 400 && error.external.starts_with("Invalid field: ") && core::is_utf8(error.external));
            continue;
        }
        // A change of an empty resource may leave it without what it must have.
        if (reading == fields::Reading::change) continue;
        const std::string text = written(resource);
        T again{};
        fields::read_fields<T>(json::parse(text), fields, again, fields::Reading::import);
        fields::refuse_unknown<T>(json::parse(text), fields);
        require(written(again) == text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    require_written(text);
    Json value;
    try {
        value = json::parse(text);
    } catch (const http::ApiError& error) {
        require(error.status == 400 && error.external == "Invalid JSON body");
        require(std::string_view(error.what()).size() < 100);
        return 0;
    }
    require(core::is_utf8(text) && text.find('\0') == std::string_view::npos);
    require(depth(value) <= json::max_depth);
    const std::string dumped = value.dump();
    const Json again = json::parse(dumped);
    require(again == value && again.dump() == dumped);
    require(Json::accept(text.begin(), text.end()));
    if (!value.is_object()) return 0;
    require_fields<jobs::Job>(value, jobs::Job::described().fields);
    require_fields<events::Event>(value, events::Event::described().fields);
    require_fields<posts::Post>(value, posts::Post::described().fields);
    require_fields<identity::Organisation>(value, identity::organisation_fields());
    return 0;
}
