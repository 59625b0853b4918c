// A whole feed in one transaction: what PUT does with one item, for each line.
//
// The first reading compares all lines with the rows as they are and locks nothing; most lines of most nights change nothing. The second
// one locks the organisation and writes the lines that differ. Rows that changed meanwhile make it compare all lines again.
#pragma once
#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "api/write.h"
#include "core/crypto.h"
#include "core/present.h"
#include "db/conflict.h"
#include "http/conditional.h"
#include "http/error.h"
#include "lists/horizon.h"
#include "resources/feeds/body.h"
#include "resources/feeds/digest.h"
#include "resources/feeds/line.h"
#include "resources/feeds/options.h"
#include "resources/feeds/result.h"
#include "resources/feeds/turn.h"
#include "writes/ownership.h"
#include "writes/transaction.h"

namespace tradepost::feeds {

// `Kind` says what a line is: see resources/stock/feed.cpp.
template <class Kind>
class Put {
public:
    using Item = typename Kind::Item;

    Put(api::Call& call, const Options& options)
        : call_(call), options_(options), connection_(call.services.connection), body_(call), lines_(body_.lines()) {}

    Result run() {
        const auto turn = await_turn(call_, options_.organisation_id);
        digest_ = digest();
        check_if_match();
        compare();
        if (options_.dry_run || !differs()) return planned_;
        // A feed that meets another writer after a minute is written again here: the client would have to send all of it again.
        return writes::write(connection_, [&](writes::WriteTransaction& transaction) { return apply(transaction); },
                             {.patience = longest_run / 2});
    }

private:
    using Batch = std::vector<Line>;
    using Rows = std::map<std::string, const Item*, std::less<>>;

    std::string digest() { return feeds::digest(connection_, Kind::table, Kind::poll_index, options_.organisation_id); }

    void check_if_match() const {
        const auto field = call_.request.header("if-match");
        if (field && !http::names_tag(*field, tag_of(digest_))) throw http::precondition_failed();
    }

    bool differs() const { return planned_.created + planned_.updated + planned_.archived > 0; }

    void compare() {
        planned_ = {};
        keys_ = {};
        to_write_.clear();
        each_batch(
            [&](Line& line) {
                keys_.add(line);
                to_write_.push_back(false);
                return true;
            },
            [&](Batch& batch) {
                const auto rows = Kind::find(connection_, options_.organisation_id, references(batch));
                const auto by_reference = index(rows);
                for (auto& line : batch) {
                    const auto* before = find(by_reference, line);
                    attempt(planned_, line, [&] {
                        auto item = build(line, before);
                        if (before && Kind::same(item, *before)) {
                            ++planned_.unchanged;
                            return;
                        }
                        Kind::check(connection_, item, before);
                        ++(before ? planned_.updated : planned_.created);
                        to_write_[line.place] = true;
                    });
                }
            });
        if (to_write_.empty()) throw http::invalid_field("body", "must not be empty");
        if (archives()) planned_.archived = each_unnamed([](std::span<const core::Uuid>) {});
    }

    // Whether what the feed does not name is archived. A line without a readable reference may be any item.
    bool archives() const { return options_.complete && !keys_.has_unknown(); }

    Result apply(writes::WriteTransaction& transaction) {
        const auto own =
            writes::Ownership(connection_).of_user(call_.caller().user_id, options_.organisation_id, writes::Hold::exclusive);
        if (own.empty()) throw http::not_found();
        db::conflict_on(connection_, std::span(&options_.organisation_id, 1));
        const auto now = lists::after_polls(call_.services.clock.now(), own[0].polled_until);
        if (const auto current = digest(); current != digest_) {
            digest_ = current;
            check_if_match();
            to_write_.assign(to_write_.size(), true);
            planned_ = {};
        }
        auto result = planned_;
        result.created = result.updated = result.archived = 0;
        uncounted_ = 0;
        typename Kind::Writer writer(transaction, own[0]);
        each_batch([&](const Line& line) { return line.place < to_write_.size() && to_write_[line.place]; },
                   [&](Batch& batch) { write(transaction, writer, batch, now, result); });
        if (archives())
            result.archived = each_unnamed([&](std::span<const core::Uuid> ids) {
                const auto rows = writer.find(ids);
                std::vector<Item> items(rows.begin(), rows.end());
                for (auto& item : items) {
                    Kind::archive(item);
                    item.updated_at = std::max(now, item.updated_at + core::milliseconds(1));
                }
                store(transaction, writer, items, rows, now);
            });
        return result;
    }

    void write(writes::WriteTransaction& transaction, typename Kind::Writer& writer, Batch& batch, core::Time now,
               Result& result) {
        const auto rows = writer.find(options_.organisation_id, references(batch));
        const auto by_reference = index(rows);
        std::vector<Item> changed;
        for (auto& line : batch) {
            const auto* before = find(by_reference, line);
            attempt(result, line, [&] {
                auto item = build(line, before);
                if (before && Kind::same(item, *before)) {
                    ++result.unchanged;
                    return;
                }
                if (!before) {
                    item.created_at = now;
                    item.id = core::Uuid::v7(now);
                }
                item.updated_at = before ? std::max(now, before->updated_at + core::milliseconds(1)) : now;
                writer.settle(item, before);
                ++(before ? result.updated : result.created);
                changed.push_back(std::move(item));
            });
        }
        store(transaction, writer, changed, rows, now);
    }

    // The counts of many items take much memory, so those that belong to the organisation alone are written in between: other writers of
    // the organisation wait for its lock anyway.
    void store(writes::WriteTransaction& transaction, typename Kind::Writer& writer, std::span<const Item> items,
               std::span<const Item> rows, core::Time now) {
        constexpr std::size_t many = 5000;
        writer.write(items, rows, now);
        uncounted_ += items.size();
        if (!Kind::counts_are_own || uncounted_ < many) return;
        transaction.counts(Kind::table).write_without_texts(connection_);
        uncounted_ = 0;
    }

    Item build(const Line& line, const Item* before) const {
        if (line.error) throw http::ApiError(core::present(line.error));
        keys_.check(line);
        check_organisation(line.body, options_.organisation_id);
        return Kind::put(line.body, before, options_.organisation_id);
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
            if (batch.size() < 200 && bytes < longest_line) continue;
            use(batch);
            batch.clear();
            bytes = 0;
        }
        if (!batch.empty()) use(batch);
    }

    // Runs `use` for the ids of the items that are not archived and that no line names. Returns how many there are.
    template <class Use>
    std::size_t each_unnamed(Use&& use) {
        std::size_t count = 0;
        std::string last;
        for (;;) {
            const auto listed = Kind::not_archived(connection_, options_.organisation_id, last, 200);
            if (listed.empty()) return count;
            last = listed.back().second;
            std::vector<core::Uuid> ids;
            for (const auto& [id, reference] : listed)
                if (!keys_.names(reference)) ids.push_back(id);
            count += ids.size();
            if (!ids.empty()) use(ids);
        }
    }

    static std::vector<std::string> references(const Batch& batch) {
        std::vector<std::string> all;
        for (const auto& line : batch)
            if (!line.error && line.reference) all.push_back(*line.reference);
        return all;
    }
    static Rows index(const std::vector<Item>& rows) {
        Rows by_reference;
        for (const auto& row : rows) by_reference[Kind::reference(row)] = &row;
        return by_reference;
    }
    static const Item* find(const Rows& rows, const Line& line) {
        const auto found = line.reference ? rows.find(*line.reference) : rows.end();
        return found == rows.end() ? nullptr : found->second;
    }

    api::Call& call_;
    const Options options_;
    db::Connection& connection_;
    const Body body_;
    Lines lines_;
    std::string digest_;
    Keys keys_;
    std::vector<bool> to_write_;  // of each line that is not blank
    Result planned_;
    std::size_t uncounted_ = 0;  // items written since the counts were
};

template <class Kind>
http::Response put(api::Call& call) {
    const auto options = read_options(call);
    return http::data(render(Put<Kind>(call, options).run(), options.dry_run));
}

}  // namespace tradepost::feeds
