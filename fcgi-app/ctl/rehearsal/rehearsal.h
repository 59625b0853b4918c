// The parts of a rehearsal that tradepost-instance leaves to tradepostctl: what the throw-away instance answers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ctl/context.h"
#include "ctl/output.h"
#include "ctl/rehearsal/client.h"

namespace tradepost::ctl {

// How many faults of one kind are printed.
inline constexpr std::size_t most_told = 10;

// Somebody as whom requests are sent.
struct Reader {
    std::string who;  // "public", or slug and role
    std::string token;
};

// An ADMIN and a MEMBER of each of the organisations that have most stock, with new tokens.
std::vector<Reader> make_readers(Context& context);

// One reader a line. The file holds tokens, so only its owner may read it.
void write_readers(const std::vector<Reader>& readers, const std::string& path);
std::vector<Reader> read_readers(const std::string& path);

// Checks a sample of the instance's documents and pictures, and prints a line for each kind. Returns the exit code.
int check_documents(Context& context, RehearsalClient& client, const std::vector<Reader>& readers, std::size_t sample);

// Where the answers differ, in words; empty when they do not. Only what differs from answer to answer is left out: times of last use, and what
// /accounts/failures and /accounts/examination say of the requests of a rehearsal.
std::string difference(const std::string& path, const RehearsedAnswer& old, const RehearsedAnswer& fresh);

// The paths that every rehearsal of an upgrade asks for: those of all reading routes, and some documents of each kind.
std::vector<std::string> fixed_paths(Context& context);

// Sends each path to both, as the public and as one of the readers who may read it, and prints the first differences. Returns the exit code.
int compare_answers(RehearsalClient& old, RehearsalClient& fresh, const std::vector<std::string>& paths,
                    const std::vector<Reader>& readers);

}  // namespace tradepost::ctl
