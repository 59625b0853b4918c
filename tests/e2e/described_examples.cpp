// The examples of request bodies in openapi.yaml, sent: each gets the answer that is described.
#include <yaml-cpp/yaml.h>

#include <map>

#include "e2e/session.h"

using namespace tradepost::test;
using nlohmann::json;

namespace {

// What the examples speak of.
constexpr const char* organisation_id = "0195f0a0-7c00-7000-8000-00000000a001";
constexpr const char* job_id = "0195f0a0-7c00-7000-8000-00000000b001";
constexpr const char* stock_id = "0195f0a0-7c00-7000-8000-00000000c001";
constexpr const char* event_id = "0195f0a0-7c00-7000-8000-00000000d001";
constexpr const char* post_id = "0195f0a0-7c00-7000-8000-00000000e001";
constexpr const char* slug = "described-examples";

json to_json(const YAML::Node& node) {
    if (node.IsMap()) {
        auto object = json::object();
        for (const auto& entry : node) object[entry.first.as<std::string>()] = to_json(entry.second);
        return object;
    }
    if (node.IsSequence()) {
        auto array = json::array();
        for (const auto& item : node) array.push_back(to_json(item));
        return array;
    }
    if (node.IsNull()) return nullptr;
    const auto text = node.Scalar();
    if (node.Tag() == "!") return text;  // it stands in quotes
    if (text == "true" || text == "false") return text == "true";
    const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? json(std::stoll(text)) : json(text);
}

struct Example {
    std::string method, path, media_type, name;
    YAML::Node node, operation;
    std::string origin() const { return method + " " + path + " " + media_type + " " + name; }
};

std::vector<Example> examples_of(const YAML::Node& root) {
    std::vector<Example> all;
    for (const auto& path : root["paths"])
        for (const std::string method : {"post", "put", "patch"}) {
            const auto operation = path.second[method];
            if (!operation || !operation["requestBody"]) continue;
            for (const auto& media : operation["requestBody"]["content"]) {
                // Raw bytes have no example that a description could hold.
                if (media.first.as<std::string>().find("json") == std::string::npos) continue;
                Example example{method, path.first.as<std::string>(), media.first.as<std::string>(), "example", {}, operation};
                if (const auto node = media.second["example"]) {
                    example.node["value"] = node;
                    all.push_back(example);
                }
                for (const auto& node : media.second["examples"]) {
                    example.name = node.first.as<std::string>();
                    example.node.reset(node.second);
                    all.push_back(example);
                }
                BOOST_TEST((!all.empty() && all.back().method == method && all.back().path == example.path &&
                            all.back().media_type == example.media_type),
                           "no example of " + example.origin());
            }
        }
    return all;
}

// `x-status` of the example, else the first success that is described.
int expected_status(const Example& example) {
    if (const auto status = example.node["x-status"]) return status.as<int>();
    return example.operation["responses"].begin()->first.as<int>();
}

class Examples {
public:
    explicit Examples(const YAML::Node& root) : root_(root) {
        const auto sign_in = root["paths"]["/api/v1/auth"]["post"]["requestBody"]["content"]["application/json"]["example"];
        user_ = {sign_in["email"].as<std::string>(), sign_in["password"].as<std::string>()};
        remember_secret(user_.password);
        stack().ctl({"user", "add", "--email", user_.email, "--name", "Dana Field", "--password-stdin"}, user_.password + "\n");
        import("organisations", {{"id", organisation_id}, {"slug", slug}, {"name", "Described Examples"}, { "published", true }});
        BOOST_REQUIRE_EQUAL(stack().ctl({"org", "add-member", "--org", slug, "--email", user_.email, "--role", "ADMIN"}).code, 0);
        headers_ = bearer(stack().mint(user_));
        clear();
        for (const auto* resource : {"jobs", "events", "posts", "stock"}) begin(resource);
        enquiry_id_ = make("/api/v1/enquiries", {{"stockId", stock_id}, {"name", "Sam"}, {"message", "Still there?"}});
    }

    void send(const Example& example) {
        begin(example.path);
        const auto value = to_json(example.node["value"]);
        const bool by_session = example.path.starts_with("/dashboard/");
        auto headers = by_session ? session_headers(value) : headers_;
        headers.emplace_back("Content-Type", example.media_type);
        const bool is_feed = example.media_type == "application/x-ndjson";
        const auto body = is_feed ? value.get<std::string>() : value.dump();
        auto method = example.method;
        for (char& c : method) c = char(std::toupper(c));
        const auto answer = client_.send({.method = method, .target = target(example), .headers = headers, .body = body});
        BOOST_TEST(answer.status == expected_status(example),
                   example.origin() << ": " << answer.status << " " << answer.body << " to " << body);
        // It may have been about all tokens.
        if (by_session) headers_ = bearer(stack().mint(user_));
    }

private:
    static void import(const std::string& what, const json& line) {
        const auto done = stack().ctl({"import", what, "-"}, line.dump() + "\n");
        BOOST_REQUIRE_MESSAGE(done.code == 0, done.err);
    }

    // What an earlier run left.
    void clear() {
        const auto page = client_.get("/api/v1/stock?limit=100", headers_).json();
        for (const auto& item : page["data"]["stock"])
            client_.send({.method = "DELETE", .target = "/api/v1/stock/" + item["id"].get<std::string>(), .headers = headers_});
    }

    // Every example begins with the same job, item, event or post, whatever the one before did to it.
    void begin(const std::string& path) {
        if (path.find("jobs") != std::string::npos)
            import("jobs", {{"id", job_id},
                            {"organisation", slug},
                            {"slug", "described-job"},
                            {"title", "Parts advisor"},
                            {"description", "Advise."},
                            {"category", "Parts"},
                            {"contractType", "PERMANENT"},
                            {"city", "Leeds"},
                            {"status", "PUBLISHED"},
                            { "publishedAt",
                              "2026-01-01T00:00:00.000Z" }});
        if (path.find("events") != std::string::npos)
            import("events", {{"id", event_id},
                              {"organisation", slug},
                              {"slug", "described-event"},
                              {"title", "Auction"},
                              {"startsAt", "2036-03-10T10:00:00.000Z"},
                              {"city", "Leeds"},
                              { "publishedAt",
                                "2026-01-01T00:00:00.000Z" }});
        if (path.find("posts") != std::string::npos)
            import("posts",
                   {{"id", post_id}, {"organisation", slug}, {"slug", "described-post"}, {"title", "News"}, {"body", "New."}, {
                        "publishedAt",
                        "2026-01-01T00:00:00.000Z"
                    }});
        if (path.find("stock") != std::string::npos)
            import("stock", {{"id", stock_id},
                             {"organisation", slug},
                             {"reference", "VAN-0042"},
                             {"title", "Van"},
                             {"price", 1},
                             {"currency", "GBP"},
                             {"attributes",
                              { { "fuel",
                                  "Diesel" } }},
                             { "status",
                               "PUBLISHED" }});
    }

    std::string target(const Example& example) {
        std::map<std::string, std::string> values{{"idOrSlug", job_id}, {"id", stock_id}};
        if (example.path.starts_with("/api/v1/events/")) values["idOrSlug"] = event_id;
        if (example.path.starts_with("/api/v1/posts/")) values["idOrSlug"] = post_id;
        if (example.path.find("/enquiries/") != std::string::npos) values["id"] = enquiry_id_;
        if (example.path.find("/organisations/") != std::string::npos) values["id"] = organisation_id;
        if (example.path.find("/integrations/") != std::string::npos)
            values["id"] = make("/api/v1/accounts/integrations", {{"name", "Described"}});
        if (example.path.find("/webhooks/") != std::string::npos)
            values["id"] = make("/api/v1/webhooks", {{"url", "https://hooks.example/"}, {"events", {"stock.changed"}}});
        values["reference"] = root_["components"]["parameters"]["Reference"]["example"].as<std::string>();
        for (const auto& given : example.node["x-parameters"])
            values[given.first.as<std::string>()] = given.second.as<std::string>();
        auto path = example.path;
        for (const auto& [name, value] : values)
            if (const auto at = path.find("{" + name + "}"); at != std::string::npos) path.replace(at, name.size() + 2, value);
        BOOST_TEST(path.find('{') == std::string::npos, path);
        return path;
    }

    // Returns the id of what it makes.
    std::string make(const std::string& path, const json& body) {
        const auto made = client_.post(path, body.dump(), headers_);
        BOOST_REQUIRE_EQUAL(made.status, 201);
        return made.json()["data"]["id"];
    }

    // Of who knows the password that the example knows.
    Headers session_headers(const json& value) {
        return begin_session({user_.email, value.value("currentPassword", user_.password)}).writing();
    }

    YAML::Node root_;
    User user_;
    Client client_{stack().site()};
    Headers headers_;
    std::string enquiry_id_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(described_examples)

BOOST_AUTO_TEST_CASE(every_example_of_a_request_gets_the_described_answer) {
    const auto root = YAML::LoadFile("nginx/www/openapi.yaml");
    const auto examples = examples_of(root);
    BOOST_TEST(examples.size() > 30u);
    Examples run(root);
    for (const auto& example : examples) run.send(example);
}

BOOST_AUTO_TEST_SUITE_END()
