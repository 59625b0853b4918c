// Statements as text: the one place where values become SQL.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "db/value.h"

namespace tradepost::db {

// `value` as a literal that is safe in a session with character set utf8mb4 and without NO_BACKSLASH_ESCAPES: what
// every session of ours is set to. Text is passed on byte for byte; the server refuses what is no UTF-8.
std::string literal(const Value& value);

// `sql` with each `?` outside of quotes and comments replaced by the literal of the value in its place.
// Throws std::logic_error when there are more or fewer values than places.
std::string render(std::string_view sql, std::span<const Value> values);

// The statement of a file that holds exactly one: without its semicolon and what stands behind that.
// Throws std::logic_error, with the reason, when there is none or a second one.
std::string_view only_statement(std::string_view sql);

// The first characters of a statement (without its values) on one line, for messages.
std::string abbreviate(std::string_view sql);

// What a statement is called in the log: the function that sends it, as "jobs::Jobs::list", made of its signature as g++ spells
// it. Empty for an empty one.
std::string statement_name(std::string_view signature);

// True when the statement only reads, so that sending it a second time does no harm.
bool only_reads(std::string_view sql);

// True for a SELECT that locks rows and waits for those that others hold.
bool may_wait_for_locks(std::string_view sql);

}  // namespace tradepost::db
