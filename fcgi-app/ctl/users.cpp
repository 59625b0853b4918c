// user add, list, disable, set-password
#include "repo/users.h"

#include "auth/passwords.h"
#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/output.h"
#include "ctl/password.h"
#include "domain/field.h"
#include "repo/sessions.h"

namespace tradepost::ctl {
namespace {

struct Options {
    std::string email, name;
    bool password_stdin = false;
};

Json to_json(const domain::User& user) {
    return {{"id", user.id.to_string()},
            {"email", user.email},
            {"name", user.name},
            {"disabledAt", ctl::to_json(user.disabled_at)},
            {"createdAt", core::to_rfc3339(user.created_at)}};
}

int add(Context& context, const Options& options) {
    domain::User user;
    user.email = core::trim(options.email);
    user.name = core::trim(options.name);
    if (!core::is_utf8(user.email) || !domain::is_email(user.email)) throw WrongUsage("--email: must be an email address");
    if (!core::is_utf8(user.name)) throw WrongUsage("--name: must be valid UTF-8");
    if (const auto fault = domain::fault(domain::rules::required_text(120), user.name)) throw WrongUsage("--name: " + *fault);
    repo::Users users(context.connection());
    const auto taken = [&] {
        return Failure("there is a user " + user.email + " already: change it with tradepostctl user set-password");
    };
    if (users.find_by_email(user.email)) throw taken();
    user.password_hash = auth::Passwords(context.config().auth).hash(read_password(options.password_stdin));
    user.created_at = user.updated_at = context.now();
    user.id = core::Uuid::v7(user.created_at);
    try {
        users.insert(user);
    } catch (const db::Error& error) {
        if (error.is_duplicate_key()) throw taken();
        throw;
    }
    if (context.json)
        print(to_json(user));
    else
        std::cout << "added " << user.email << " " << user.id.to_string() << "\n";
    return 0;
}

int list(Context& context) {
    repo::Users users(context.connection());
    Json all = Json::array();
    for (std::string last;;) {
        const auto page = users.list(last);
        for (const auto& user : page) all.push_back(to_json(user));
        if (page.empty()) break;
        last = page.back().email;
    }
    print_list(all, context.json);
    return 0;
}

int report(Context& context, const Options& options, const char* what) {
    const auto user = context.user(options.email);
    if (context.json)
        print(to_json(user));
    else
        std::cout << what << " " << user.email << "\n";
    return 0;
}

}  // namespace

void add_user_commands(CLI::App& app, Context& context) {
    const auto options = std::make_shared<Options>();
    auto* user = app.add_subcommand("user", "user accounts");
    user->require_subcommand(1);
    const auto command = [&](const char* name, const char* help) {
        auto* c = user->add_subcommand(name, help);
        c->add_option("--email", options->email, "the user's address")->required()->type_name("E");
        return c;
    };
    const auto with_password = [&](CLI::App* c) {
        c->add_flag("--password-stdin", options->password_stdin, "read the password from standard input");
    };

    auto* adding = command("add", "add a user");
    adding->add_option("--name", options->name, "what the user is called")->required()->type_name("N");
    with_password(adding);
    on(adding, context, [&context, options] { return add(context, *options); });

    on(user->add_subcommand("list", "list all users"), context, [&context] { return list(context); });

    on(command("disable", "refuse a user's sign-in, sessions and tokens from now on"), context, [&context, options] {
        const auto id = context.user(options->email).id;
        db::in_transaction(context.connection(), [&] {
            repo::Users(context.connection()).disable(id, context.now());
            repo::Sessions(context.connection()).end_all(id);
        });
        return report(context, *options, "disabled");
    });

    auto* setting = command("set-password", "give a user another password and end their sessions");
    with_password(setting);
    on(setting, context, [&context, options] {
        const auto id = context.user(options->email).id;
        const auto hash = auth::Passwords(context.config().auth).hash(read_password(options->password_stdin));
        db::in_transaction(context.connection(), [&] {
            repo::Users(context.connection()).set_password(id, hash, context.now());
            repo::Sessions(context.connection()).end_all(id);
        });
        return report(context, *options, "password set for");
    });
}

}  // namespace tradepost::ctl
