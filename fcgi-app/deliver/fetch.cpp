#include "deliver/fetch.h"

#include <mutex>

#include "core/clock.h"
#include "deliver/policy.h"
#include "files/image_header.h"
#include "files/intake.h"
#include "http/error.h"
#include "net/client.h"
#include "outbox/queue.h"
#include "resources/stock/fetched.h"
#include "resources/uploads/fetching.h"

namespace tradepost::deliver {
namespace {

using namespace std::chrono_literals;

constexpr auto time_limit = 15s;  // of all redirects together
constexpr int most_redirects = 3;
// Without it a server may choose a type that is not taken, such as AVIF (RFC 9110, section 12.5.1).
constexpr const char* accepted_types = "Accept: image/jpeg, image/png, image/webp";
// The waits in between double, and add up to half an hour unless the server asks for longer ones.
constexpr std::int64_t most_attempts = 11;
constexpr auto longest_wait = 8s;  // for another image to be decoded

// Why there is no image.
struct Failure {
    std::string why;
    bool may_pass;
    std::optional<std::chrono::seconds> pause = {};  // as the server asked
};

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// Each address on the way is checked as the first one is. Throws Failure.
std::string get(const net::Rules& rules, std::string url) {
    const auto end = std::chrono::steady_clock::now() + time_limit;
    for (int redirects = 0; redirects <= most_redirects; ++redirects) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left <= 0ms) throw Failure{"no answer within 15 seconds", true};
        auto answer = net::perform(
            rules, {.url = url, .headers = {accepted_types}, .time_limit = left, .most_bytes = files::max_sent_bytes});
        const bool may_pass = judge(image_policy, answer) == Verdict::later;
        if (!answer.failure.empty()) throw Failure{answer.failure, may_pass};
        if (answer.status == 200) return std::move(answer.body);
        if (!is_redirect(answer.status) || answer.location.empty())
            throw Failure{"the answer was " + std::to_string(answer.status), may_pass, answer.retry_after};
        url = answer.location;
    }
    throw Failure{"more than 3 redirects", false};
}

// The type is what the bytes are. One at a time: a picture may take a gibibyte. Throws Failure, and what has nothing to do with the image.
std::pair<files::Prepared, std::string> prepare(const files::Store& store, const std::string& bytes) {
    static std::timed_mutex turn;
    const auto header = files::read_image_header(bytes);
    if (!header) throw Failure{"it is no JPEG, PNG or WebP picture", false};
    const std::string type(header->content_type);
    const std::unique_lock lock(turn, longest_wait);
    if (!lock) throw Failure{"others are being decoded", true};
    try {
        return {files::prepare(store, bytes, type, "image"), type};
    } catch (const files::Undecodable& error) {
        // The time limit ends only on a busy host: a picture that takes too much processor time fails in another way.
        if (error.status == 503) throw Failure{error.what(), true};
        throw Failure{error.external, false};
    } catch (const http::ApiError& error) {
        if (error.status != 400) throw;
        throw Failure{error.external, false};
    }
}

outbox::Outcome fail(Sending& sending, const uploads::Wanted& wanted, std::int64_t attempt, const Failure& failure) {
    const core::SystemClock clock;
    if (failure.may_pass && attempt + 1 < most_attempts) {
        const auto wait = outbox::wait_after(std::uint32_t(attempt + 1), failure.pause);
        uploads::fetch_again(sending.connection, wanted, attempt + 1, clock.now(), clock.now() + wait);
        return outbox::Outcome::delivered("to be tried again: " + failure.why);
    }
    stock::give_up_fetching(sending.connection, clock, wanted.id, failure.why);
    return outbox::Outcome::delivered("failed: " + failure.why);
}

}  // namespace

outbox::Outcome fetch_image(Sending& sending, const outbox::Delivery& delivery) {
    const auto task = uploads::read_task(delivery.payload);
    const auto wanted = uploads::find_wanted(sending.connection, task.upload_id);
    if (!wanted) return outbox::Outcome::delivered("nothing shows it any more");
    const auto& settings = sending.config.fetch;
    try {
        const auto bytes = get({net::Networks(settings.allow_networks), settings.tls_ca}, wanted->source_url);
        files::Store store(sending.config.uploads.directory);
        const auto [prepared, type] = prepare(store, bytes);
        switch (stock::keep_fetched(sending.connection, core::SystemClock(), store, sending.config.uploads.quota_bytes,
                                    wanted->id, type, prepared)) {
            case stock::Fetched::ready:
                return outbox::Outcome::delivered("fetched");
            case stock::Fetched::not_wanted:
                return outbox::Outcome::delivered("nothing shows it any more");
            case stock::Fetched::no_room:
                throw Failure{"upload quota reached", false};
        }
    } catch (const Failure& failure) {
        return fail(sending, *wanted, task.attempt, failure);
    }
    throw std::logic_error("no such end of a fetch");
}

void give_up_image(db::Connection& connection, const outbox::Delivery& delivery) {
    // Inside a transaction already, so without the items' times: nobody looks any more after days.
    uploads::fail_fetch(connection, uploads::read_task(delivery.payload).upload_id, "it could not be fetched");
}

}  // namespace tradepost::deliver
