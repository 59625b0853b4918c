// What of a request reaches a worker, told to tradepostctl doctor and to nobody else.
#pragma once
#include "api/call.h"

namespace tradepost::api {

// The pool, the client's address, the hash of the Authorization field, and what is wrong with the uploads pool's store. 404
// without a pass of auth/diagnosis_pass.h that nobody has used yet.
http::Response get_diagnosis(Call& call);

}  // namespace tradepost::api
