// What all routes that write share: the transaction, Idempotency-Key, whose organisation, preconditions, the forms of the answers.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/call.h"
#include "json/writer.h"
#include "writes/ownership.h"
#include "writes/transaction.h"

namespace tradepost::api {

using Work = std::function<http::Response(writes::WriteTransaction&)>;

// The answer of a POST that creates: what `work` returns from inside one transaction (writes::write()). With an Idempotency-Key it is kept,
// and given again to the same request of the same user; the key of another request is 422. `work` may be run more than once.
http::Response create(Call& call, const Work& work);

// The same for an answer that takes long work, such as decoding a picture: `prepare` does it once, before the transaction, so that no lock and
// no idle transaction waits for it. It is not called when the answer is kept already.
http::Response create(Call& call, const std::function<void()>& prepare, const Work& work);

// create() without a key: for PATCH, PUT and DELETE.
http::Response change(Call& call, const Work& work);

// The id in the path. Throws 404 for what is none.
core::Uuid path_id(const Call& call);

// Inside create() or change(): the organisation that a body's `organisationId` names, or the only one of the caller. Throws 400 when there
// are several and none is named, 404 when the caller is no member or has none.
writes::OwnOrganisation own_organisation(Call& call, writes::WriteTransaction& transaction);

// For lists: the organisation that is named, or all of the caller's. Throws 404 when that one is not theirs.
std::vector<core::Uuid> own_organisations(const Call& call, const std::optional<core::Uuid>& named);

// The body of a PUT by reference, with the reference that is the path's first parameter: a body may leave it out. Throws 400 for another one.
const json::Json& body_with_reference(Call& call);

// Where nothing but the query can name it: the organisation that `organisationId` there names, or the only one of the caller. Throws 400 when
// there are several and none is named, 404 when the caller is no member or has none.
core::Uuid queried_organisation(const Call& call);

// Inside change(): the same, locked. Throws 403 when the caller must be ADMIN.
writes::OwnOrganisation queried_organisation(const Call& call, writes::WriteTransaction& transaction, bool admin);

// own_organisation() by what came with the token, without a lock: for long work before the one who may do it is locked.
core::Uuid expected_organisation(Call& call);

// Inside change(): the organisation of a row. Throws 404 when there is no such row or the caller is no member, 403 when they must be ADMIN.
writes::OwnOrganisation owner_of(Call& call, writes::WriteTransaction& transaction, std::string_view table, const core::Uuid& id,
                                 bool admin = false);

// Throws 412 unless the request's preconditions hold for the resource as it is: `json` is what its GET shows in `data`, or nullopt for one
// that does not exist yet. A route calls it just before it writes, inside its transaction, and its row is `.is_tagged`.
void check_preconditions(const Call& call, std::optional<std::string_view> json);

// When a row that was last changed at `before` changes now: always later.
core::Time next_update(const Call& call, core::Time before);

// The same for a row of this organisation, or a new one: later than all polls too.
core::Time next_update(const Call& call, const writes::OwnOrganisation& owner, core::Time before = {});

// 201 with Location, 200, and what DELETE answers. The first two with the entity tag that a GET of the resource has.
http::Response created(const std::string& location, std::string_view json);
http::Response current(std::string_view json);
http::Response deleted(const core::Uuid& id);

// What gives rights that outlast a session takes a password that was typed of late.

// Throws 403 when the caller came with a session whose password was not typed within identity::confirmation_lifetime. A token has no password
// to confirm: its scopes say what it may do.
void check_confirmed(Call& call);

}  // namespace tradepost::api
