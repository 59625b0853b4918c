// A whole feed in one transaction: what PUT does with one item, for each line.
//
// The first reading compares all lines with the rows as they are and locks nothing; most lines of most nights change nothing. The second
// one writes the lines that differ: it locks the rows of some lines at a time, compares them again and writes them. Other writers of the
// organisation go on meanwhile (writing.h). If rows changed between the readings, the second one compares all lines.
#pragma once
#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/crypto.h"
#include "core/present.h"
#include "core/slug.h"
#include "core/text.h"
#include "http/conditional.h"
#include "http/error.h"
#include "resource/feed/body.h"
#include "resource/feed/handlers.h"
#include "resource/feed/lines.h"
#include "resource/feed/result.h"
#include "resource/feed/writing.h"
#include "resource/handlers.h"

namespace tradepost::feeds {

template <class T>
class Put {
public:
    Put(api::Call& call, const Options& options)
        : call_(call), options_(options), connection_(call.services.connection), body_(call), lines_(body_.lines()) {}

    Result run() {
        const auto turn = await_turn(call_, options_.organisation_id);
        digest_ = digest();
        check_preconditions();
        compare();
        if (options_.dry_run || !differs()) return planned_;
        announce_writing(call_, options_.organisation_id, is().table);
        const WithoutForeignKeyChecks unchecked(connection_);
        // A feed that meets another writer after a minute is written again here: the client would have to send all of it again.
        return writes::write(connection_, [&](writes::WriteTransaction& transaction) { return apply(transaction); },
                             {.patience = longest_run / 2});
    }

private:
    using Store = resource::Store<T>;
    struct Writer {
        Store store;
        writes::SlugMaker slugs;
        const writes::OwnOrganisation& owner;
    };
    using Batch = std::vector<Line>;
    using Rows = std::map<std::string, const T*, std::less<>>;
    static constexpr std::size_t most_at_once = 200;

    static const resource::Description<T>& is() { return T::described(); }

    std::string digest() { return feeds::digest(connection_, is().table, is().poll_index, options_.organisation_id); }

    // The resource is the feed that GET of the same path shows. It always exists, if only without lines.
    void check_preconditions() const { http::check_preconditions(call_.request, tag_of(digest_)); }

    // Whether If-Match names the state that was compared: then nothing is written over a later one.
    bool is_conditional() const {
        const auto field = call_.request.header("if-match");
        return field && core::trim(*field) != "*";
    }

    bool differs() const { return planned_.created + planned_.updated + planned_.archived > 0; }

    void compare() {
        planned_ = {};
        room_ = room();
        keys_ = {};
        to_write_.clear();
        compared_.clear();
        each_batch(
            [&](Line& line) {
                keys_.add(line);
                to_write_.push_back(false);
                compared_.emplace_back();
                return true;
            },
            [&](Batch& batch) {
                const auto rows =
                    Store::find_by_reference(connection_, options_.organisation_id, references(batch), db::Locks::none);
                const auto by_reference = index(rows);
                for (auto& line : batch) {
                    const auto* before = find(by_reference, line);
                    if (before) compared_[line.place] = before->updated_at;
                    attempt(planned_, line, [&] {
                        auto item = build(line, before);
                        if (before && resource::same(item, *before)) {
                            ++planned_.unchanged;
                            return;
                        }
                        if (is().hooks.check) is().hooks.check(connection_, item, before);
                        if (!before) check_room(planned_);
                        ++(before ? planned_.updated : planned_.created);
                        to_write_[line.place] = true;
                    });
                }
            });
        if (to_write_.empty()) throw http::invalid_field("body", "must not be empty");
        if (archives()) planned_.archived = unnamed().size();
    }

    // Whether what the feed does not name is archived. A line without a readable reference may be any item.
    bool archives() const { return options_.complete && !keys_.has_unknown(); }

    Result apply(writes::WriteTransaction& transaction) {
        const auto writing = begin_writing(call_, options_.organisation_id, is().table);
        if (const auto current = digest(); current != digest_) {
            digest_ = current;
            check_preconditions();
            to_write_.assign(to_write_.size(), true);
            planned_ = {};
        }
        // Items that others create from now on are not archived.
        room_ = room();
        const auto left = archives() ? unnamed() : std::vector<core::Uuid>();
        auto result = planned_;
        result.created = result.updated = result.archived = 0;
        uncounted_ = 0;
        transaction.counts(is().table).use_shard_of_feeds();
        Writer writer{Store(transaction), writes::SlugMaker(connection_, is().table), writing.owner};
        writer.store.know(writing.owner.summary, writing.owner.published);
        each_batch([&](const Line& line) { return line.place < to_write_.size() && to_write_[line.place]; },
                   [&](Batch& batch) { write(transaction, writer, batch, writing.now, result); });
        for (std::size_t i = 0; i < left.size(); i += most_at_once)
            result.archived +=
                archive(transaction, writer, std::span(left).subspan(i, std::min(most_at_once, left.size() - i)), writing.now);
        if (is_conditional() && result.archived != planned_.archived) throw http::precondition_failed();
        end_writing(call_, writing);
        if (result.created) confirm_room(transaction);
        return result;
    }

    std::size_t room() { return writes::room_for(connection_, call_.services.config, is().things, options_.organisation_id); }

    // Throws 409 when one more item would be too many.
    void check_room(const Result& result) const {
        if (result.created >= room_) throw http::conflict(writes::limit_reached(call_.services.config, is().things));
    }

    // What others created meanwhile counts, too: the feed is then written again, and its last lines fail.
    void confirm_room(writes::WriteTransaction& transaction) {
        try {
            writes::check_room(transaction, call_.services.config, is().things, options_.organisation_id);
        } catch (const http::ApiError& error) {
            throw db::Error(1213, "others reached the limit while a feed was written: " + error.external);
        }
    }

    // Another writer may take a reference or a slug that was free. Only these lines are then written again: a whole feed that begins again
    // would meet the next writer.
    void write(writes::WriteTransaction& transaction, Writer& writer, Batch& batch, core::Time now, Result& result) {
        const auto before = result;
        for (int attempt = 1;; ++attempt) {
            connection_.execute("SAVEPOINT batch");
            try {
                return write_once(transaction, writer, batch, now, result);
            } catch (const db::Error& error) {
                if (!error.is_duplicate_key() || attempt == 5) throw;
            }
            connection_.execute("ROLLBACK TO SAVEPOINT batch");
            result = before;
        }
    }

    void write_once(writes::WriteTransaction& transaction, Writer& writer, Batch& batch, core::Time now, Result& result) {
        const auto rows = writer.store.find_by_reference(options_.organisation_id, references(batch));
        const auto by_reference = index(rows);
        std::vector<T> changed;
        for (auto& line : batch) {
            const auto* before = find(by_reference, line);
            const auto updated_at = before ? std::optional(before->updated_at) : std::nullopt;
            if (is_conditional() && compared_[line.place] != updated_at) throw http::precondition_failed();
            attempt(result, line, [&] {
                auto item = build(line, before);
                if (before && resource::same(item, *before)) {
                    ++result.unchanged;
                    return;
                }
                if (!before) {
                    check_room(result);
                    item.created_at = now;
                    item.id = core::Uuid::v7(now);
                }
                item.updated_at = before ? std::max(now, before->updated_at + core::milliseconds(1)) : now;
                settle(writer, item, before);
                ++(before ? result.updated : result.created);
                changed.push_back(std::move(item));
            });
        }
        store(transaction, writer, changed, rows);
    }

    // Returns how many of these items it archived: another writer may have archived or deleted some meanwhile.
    std::size_t archive(writes::WriteTransaction& transaction, Writer& writer, std::span<const core::Uuid> ids, core::Time now) {
        const auto rows = writer.store.find(ids);
        std::vector<T> items;
        for (const auto& row : rows) {
            auto item = row;
            is().hooks.withdraw(item);
            if (resource::same(item, row)) continue;
            item.updated_at = std::max(now, row.updated_at + core::milliseconds(1));
            items.push_back(std::move(item));
        }
        store(transaction, writer, items, rows);
        return items.size();
    }

    void settle(Writer& writer, T& item, const T* before) {
        if (is().hooks.resolve) is().hooks.resolve(connection_, item, before);
        resource::settle(item);
        if constexpr (resource::has_slug<T>)
            if (!before) item.slug = writer.slugs.make(core::slugify(item.title, is().singular, item.id.to_string()));
    }

    // The counts of many items take much memory, so those that belong to the organisation alone are written in between: nobody else writes
    // the organisation's counts of the shard of feeds.
    void store(writes::WriteTransaction& transaction, Writer& writer, std::span<T> items, std::span<const T> rows) {
        constexpr std::size_t many = 5000;
        writer.store.write(items, rows);
        uncounted_ += items.size();
        if (!is().counts_are_own || uncounted_ < many) return;
        transaction.counts(is().table).write_without_texts(connection_);
        uncounted_ = 0;
    }

    T build(const Line& line, const T* before) const {
        if (line.error) throw http::ApiError(core::present(line.error));
        keys_.check(line);
        check_organisation(line.body, options_.organisation_id);
        T fresh;
        if constexpr (resource::shows_organisation<T>)
            fresh.organisation = identity::OrganisationSummary{options_.organisation_id, "", "", {}};
        else
            fresh.organisation_id = options_.organisation_id;
        auto item = resource::read_put(line.body, fresh, before);
        if (before) resource::check_move(item, *before, true);
        return item;
    }

    // What a line's PUT would be told is its failure; with onError=abort that of the whole feed.
    template <class Work>
    void attempt(Result& result, const Line& line, Work&& work) const {
        try {
            work();
        } catch (const http::ApiError& error) {
            if (error.status >= 500) throw;
            if (!options_.skip_failures)
                throw http::ApiError(400, "Line " + std::to_string(line.number) + ": " + error.external, error.what());
            result.fail({line.number, line.reference, error.external});
        }
    }

    // Runs `use` for batches of the lines that `wanted` wants, small enough for one statement each.
    template <class Wanted, class Use>
    void each_batch(Wanted&& wanted, Use&& use) {
        lines_.rewind();
        Batch batch;
        std::size_t bytes = 0, place = 0;
        while (lines_.next()) {
            if (place == most_lines)
                throw http::invalid_field("body", "must hold at most " + std::to_string(most_lines) + " lines");
            if (place < to_write_.size() && !to_write_[place]) {
                ++place;
                continue;
            }
            auto line = read_line(lines_, place++);
            if (!wanted(line)) continue;
            bytes += lines_.text().size();
            batch.push_back(std::move(line));
            if (batch.size() < most_at_once && bytes < longest_line) continue;
            use(batch);
            batch.clear();
            bytes = 0;
        }
        if (!batch.empty()) use(batch);
    }

    // The items that are not withdrawn and that no line names. Those without a reference belong to no feed.
    std::vector<core::Uuid> unnamed() {
        std::vector<core::Uuid> ids;
        std::string last;
        for (;;) {
            const auto rows = connection_.query("SELECT id, reference FROM " + std::string(is().table) + " FORCE INDEX (" +
                                                    std::string(is().reference_index) +
                                                    ") WHERE organisation_id = ? AND reference > ? AND NOT (" +
                                                    std::string(is().is_withdrawn) + ") ORDER BY reference LIMIT 1000",
                                                {options_.organisation_id, db::Binary{last}});
            if (rows.empty()) return ids;
            last = rows.back().text(1);
            for (const auto& row : rows)
                if (!keys_.names(row.text(1))) ids.push_back(row.uuid(0));
        }
    }

    static std::vector<std::string> references(const Batch& batch) {
        std::vector<std::string> all;
        for (const auto& line : batch)
            if (!line.error && line.reference)
                for (auto& form : core::reference_forms(*line.reference)) all.push_back(std::move(form));
        return all;
    }
    static Rows index(const std::vector<T>& rows) {
        Rows by_reference;
        for (const auto& row : rows) by_reference[*resource::reference(row)] = &row;
        return by_reference;
    }
    static const T* find(const Rows& rows, const Line& line) {
        if (line.reference)
            for (const auto& form : core::reference_forms(*line.reference))
                if (const auto found = rows.find(form); found != rows.end()) return found->second;
        return nullptr;
    }

    api::Call& call_;
    const Options options_;
    db::Connection& connection_;
    const Body body_;
    Lines lines_;
    std::string digest_;
    Keys keys_;
    // Of each line that is not blank.
    std::vector<bool> to_write_;
    std::vector<std::optional<core::Time>> compared_;  // the `updatedAt` of its item, if there was one
    Result planned_;
    std::size_t room_ = 0;       // how many items may be created
    std::size_t uncounted_ = 0;  // items written since the counts were
};

template <class T>
http::Response put(api::Call& call) {
    const auto options = read_options(call);
    return http::data(render(Put<T>(call, options).run(), options.dry_run));
}

}  // namespace tradepost::feeds
