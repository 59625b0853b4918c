// org add, list, publish, unpublish, add-member, remove-member
#include "repo/organisations.h"

#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/output.h"
#include "domain/slug.h"
#include "repo/memberships.h"
#include "repo/slug_writer.h"

namespace tradepost::ctl {
namespace {

struct Options {
    std::string name, slug, email, role;
    bool published = false;
};

Json to_json(const domain::Organisation& organisation) {
    return {{"id", organisation.id.to_string()},
            {"slug", organisation.slug},
            {"name", organisation.name},
            {"published", organisation.published},
            {"createdAt", core::to_rfc3339(organisation.created_at)}};
}

int add(Context& context, const Options& options) {
    domain::Organisation organisation;
    organisation.name = core::trim(options.name);
    organisation.published = options.published;
    if (!core::is_utf8(organisation.name)) throw WrongUsage("--name: must be valid UTF-8");
    if (const auto fault = domain::fault(domain::rules::required_text(150), organisation.name))
        throw WrongUsage("--name: " + *fault);
    if (!options.slug.empty() && !domain::is_slug(options.slug))
        throw WrongUsage("--slug: must be lower-case letters, digits and inner hyphens, at most 120, and no UUID");
    organisation.created_at = organisation.updated_at = context.now();
    organisation.id = core::Uuid::v7(organisation.created_at);
    auto& connection = context.connection();
    for (int attempt = 1;; ++attempt) {
        organisation.slug = options.slug.empty() ? repo::unique_slug(connection, "organisations",
                                                                     domain::slugify(organisation.name, "organisation"))
                                                 : options.slug;
        try {
            db::in_transaction(connection, [&] { repo::Organisations(connection).write(std::span(&organisation, 1)); });
            break;
        } catch (const db::Error& error) {
            if (!error.is_duplicate_key()) throw;
            if (!options.slug.empty())
                throw Failure("the slug " + options.slug + " is taken: choose another, or leave --slug out");
            if (attempt == 5) throw;
        }
    }
    if (context.json)
        print(to_json(organisation));
    else
        std::cout << "added " << organisation.slug << " " << organisation.id.to_string() << "\n";
    return 0;
}

int list(Context& context) {
    repo::Organisations organisations(context.connection());
    Json all = Json::array();
    for (std::optional<core::Uuid> last;;) {
        const auto page = organisations.after(last);
        for (const auto& organisation : page) all.push_back(to_json(organisation));
        if (page.empty()) break;
        last = page.back().id;
    }
    print_list(all, context.json);
    return 0;
}

int set_published(Context& context, const Options& options, bool published) {
    auto organisation = context.organisation(options.slug);
    repo::Organisations(context.connection()).set_published(organisation.id, published, context.now());
    organisation.published = published;
    if (context.json)
        print(to_json(organisation));
    else
        std::cout << (published ? "published " : "unpublished ") << organisation.slug << "\n";
    return 0;
}

int report_member(Context& context, const Options& options, const char* what) {
    if (context.json)
        print({{"organisation", options.slug},
               {"email", options.email},
               {"role", options.role.empty() ? Json() : Json(options.role)}});
    else
        std::cout << what << " " << options.email << (options.role.empty() ? "" : " " + options.role) << " of " << options.slug
                  << "\n";
    return 0;
}

int add_member(Context& context, const Options& options) {
    const auto role = domain::parse_role(options.role);
    if (!role) throw WrongUsage("--role: must be ADMIN or MEMBER");
    const auto organisation = context.organisation(options.slug);
    const auto user = context.user(options.email);
    repo::Memberships(context.connection()).add(user.id, organisation.id, *role, context.now());
    return report_member(context, options, "added");
}

int remove_member(Context& context, const Options& options) {
    const auto organisation = context.organisation(options.slug);
    const auto user = context.user(options.email);
    if (!repo::Memberships(context.connection()).remove(user.id, organisation.id))
        throw Failure(options.email + " is no member of " + options.slug + ": nothing to remove");
    return report_member(context, options, "removed");
}

}  // namespace

void add_organisation_commands(CLI::App& app, Context& context) {
    const auto options = std::make_shared<Options>();
    auto* org = app.add_subcommand("org", "organisations and their members");
    org->require_subcommand(1);
    const auto command = [&](const char* name, const char* help, auto run) {
        auto* c = org->add_subcommand(name, help);
        c->add_option("--org", options->slug, "the organisation's slug")->required()->type_name("S");
        on(c, context, [&context, options, run] { return run(context, *options); });
        return c;
    };

    auto* adding = org->add_subcommand("add", "add an organisation");
    adding->add_option("--name", options->name, "what it is called")->required()->type_name("N");
    adding->add_option("--slug", options->slug, "its name in addresses; made from --name when left out")->type_name("S");
    adding->add_flag("--published", options->published, "show what it publishes to the public");
    on(adding, context, [&context, options] { return add(context, *options); });

    on(org->add_subcommand("list", "list all organisations"), context, [&context] { return list(context); });
    command("publish", "show what it publishes to the public",
            [](Context& c, const Options& o) { return set_published(c, o, true); });
    command("unpublish", "hide all of it from the public",
            [](Context& c, const Options& o) { return set_published(c, o, false); });

    auto* adding_member = command("add-member", "make a user a member, or change a member's role", add_member);
    adding_member->add_option("--email", options->email, "the user's address")->required()->type_name("E");
    adding_member->add_option("--role", options->role, "ADMIN or MEMBER")->required()->type_name("R");
    command("remove-member", "end a user's membership", remove_member)
        ->add_option("--email", options->email, "the user's address")
        ->required()
        ->type_name("E");
}

}  // namespace tradepost::ctl
