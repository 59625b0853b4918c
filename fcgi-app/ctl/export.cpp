// export
#include "ctl/export.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "audit/record.h"
#include "core/present.h"
#include "ctl/commands.h"
#include "ctl/everything/everything.h"
#include "ctl/person.h"
#include "fields/json.h"
#include "identity/organisations/organisations.h"
#include "identity/people/user_writer.h"
#include "resource/store.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"

namespace tradepost::ctl {
namespace {

namespace fs = std::filesystem;

constexpr int page_size = 200;

// `after(last, limit)` returns a page.
template <class After, class Write>
void each(After&& after, std::FILE* to, Write&& write) {
    for (std::optional<core::Uuid> last;;) {
        const auto page = after(last, page_size);
        if (page.empty()) return;
        for (const auto& item : page) {
            json::Writer line;
            line.begin_object().member("id", item.id);
            write(line, item);
            line.end_object();
            if (std::fprintf(to, "%s\n", line.text().c_str()) < 0)
                throw Failure(std::string("the export cannot be written: ") + std::strerror(errno));
        }
        last = page.back().id;
    }
}

void export_organisations(db::Connection& connection, const ExportOptions&, std::FILE* to) {
    const auto after = [&](const auto& id, int limit) { return identity::Organisations(connection).after(id, limit); };
    each(after, to, [](json::Writer& line, const auto& item) {
        line.member("slug", item.slug);
        fields::write_fields<identity::Organisation>(line, identity::organisation_fields(), item, true);
    });
}

// The slugs of organisations by their ids.
class Slugs {
public:
    explicit Slugs(db::Connection& connection) : organisations_(connection) {}
    const std::string& of(const core::Uuid& id) {
        auto known = slugs_.find(id);
        if (known == slugs_.end()) known = slugs_.emplace(id, core::present(organisations_.find(id)).slug).first;
        return known->second;
    }

private:
    identity::Organisations organisations_;
    std::map<core::Uuid, std::string> slugs_;
};

template <class T>
void export_items(db::Connection& connection, const ExportOptions&, std::FILE* to) {
    const auto& is = T::described();
    Slugs slugs(connection);
    const auto after = [&](const auto& id, int limit) { return resource::Store<T>::after(connection, id, limit); };
    each(after, to, [&](json::Writer& line, const T& item) {
        if constexpr (resource::has_slug<T>) line.member("slug", item.slug);
        const auto* organisation = resource::owner(item);
        line.member("organisation", organisation ? std::optional(slugs.of(*organisation)) : std::nullopt);
        fields::write_fields<T>(line, is.fields, item, true);
        if (is.hooks.write_more) is.hooks.write_more(line, item);
    });
}

void export_users(db::Connection& connection, const ExportOptions& options, std::FILE* to) {
    identity::UserWriter users(connection);
    Slugs slugs(connection);
    const auto after = [&](const auto& id, int limit) { return users.after(id, limit); };
    each(after, to, [&](json::Writer& line, const identity::User& user) {
        line.member("email", user.email).member("name", user.name);
        if (options.password_hashes) line.member("passwordHash", user.password_hash);
        line.member("disabledAt", user.disabled_at).member("createdAt", user.created_at).member("updatedAt", user.updated_at);
        line.name("organisations").begin_array();
        const auto roles = users.roles(std::span(&user.id, 1));
        if (const auto found = roles.find(user.id); found != roles.end())
            for (const auto& [organisation, role] : found->second)
                line.begin_object()
                    .member("organisation", slugs.of(organisation))
                    .member("role", identity::to_string(role))
                    .end_object();
        line.end_array();
    });
}

struct ExportKind {
    std::string name;
    void (*run)(db::Connection& connection, const ExportOptions& options, std::FILE* to);
};
const ExportKind export_kinds[] = {
    {"users", export_users},
    {"organisations", export_organisations},
    {"jobs", export_items<jobs::Job>},
    {"events", export_items<events::Event>},
    {"posts", export_items<posts::Post>},
    {"stock", export_items<stock::StockItem>},
};

// A file that appears whole or not at all, readable by its owner only; or what is there and no regular file, such as a pipe or a device.
class NewFile {
public:
    explicit NewFile(const std::string& path) : path_(path), temporary_(path + ".new") {
        std::error_code none;
        const auto status = fs::status(path, none);
        is_new_ = !fs::exists(status) || fs::is_regular_file(status);
        if (is_new_ && fs::is_symlink(fs::symlink_status(path, none)))
            throw Failure(path + ": is a symbolic link: name the file that it leads to, or - for standard output");
        // Another one's temporary file would keep its owner and mode.
        if (is_new_) unlink(temporary_.c_str());
        const int fd = is_new_ ? open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
                               : open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
        if (fd < 0 || !(file_ = fdopen(fd, "w"))) fail();
    }
    ~NewFile() {
        if (!file_) return;
        (void)std::fclose(file_);
        if (is_new_) unlink(temporary_.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    std::FILE* get() { return file_; }
    void finish() {
        if (std::fflush(file_) != 0) fail();
        if (is_new_ && (fsync(fileno(file_)) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0)) fail();
        (void)std::fclose(std::exchange(file_, nullptr));
    }

private:
    [[noreturn]] void fail() const {
        throw Failure((is_new_ ? temporary_ : path_) + ": cannot be written: " + std::strerror(errno));
    }
    std::string path_, temporary_;
    bool is_new_;
    std::FILE* file_ = nullptr;
};

}  // namespace

void export_lines(db::Connection& connection, const std::string& kind, const ExportOptions& options, std::FILE* to) {
    db::Transaction transaction(connection, db::Reads::as_of_the_first);
    const auto* const found =
        std::find_if(std::begin(export_kinds), std::end(export_kinds), [&](const auto& one) { return one.name == kind; });
    if (found == std::end(export_kinds)) throw std::logic_error("no such export: " + kind);
    found->run(connection, options, to);
    transaction.commit();
}

void add_export_command(Command app, Context& context) {
    struct Options {
        std::string path;
        ExportOptions what;
    };
    const auto group = app.add_group("export", "write rows as JSON lines, which import can read");
    for (const auto& one : export_kinds) {
        const auto& kind = one.name;
        const auto options = std::make_shared<Options>();
        const auto command = group.add(kind, "export " + kind);
        command.option("FILE", options->path, "the file, readable by its owner only; - is standard output, which is the default");
        if (kind == "users")
            command.flag("--with-password-hashes", options->what.password_hashes,
                         "include password hashes, so that users can sign in after an import elsewhere");
        on(command, context, [&context, options, &kind] {
            // First: what was written before a failure may have been read.
            audit::record(context.connection(), context.now(),
                          {.event = audit::Event::exported,
                           .detail = options->what.password_hashes ? kind + " with password hashes" : kind});
            if (options->path.empty() || options->path == "-") {
                export_lines(context.connection(), kind, options->what, stdout);
                if (std::fflush(stdout) != 0) throw Failure("standard output could not be written");
                return 0;
            }
            NewFile file(options->path);
            export_lines(context.connection(), kind, options->what, file.get());
            file.finish();
            return 0;
        });
    }
    everything::add_export_command(group, context);
    const auto email = std::make_shared<std::string>();
    const auto command = group.add(
        "person", "print as one JSON document all that is known of a person, but for passwords, tokens and keys; see also erase");
    command.required("--email", *email, "the person's address", "E");
    on(command, context, [&context, email] {
        const auto person = find_person(context.connection(), *email);
        std::optional<core::Uuid> user;
        if (person.user) user = person.user->id;
        audit::record(context.connection(), context.now(), {.event = audit::Event::exported, .user = user, .detail = "person"});
        print(person_document(context.connection(), person, context.now()));
        return 0;
    });
}

}  // namespace tradepost::ctl
