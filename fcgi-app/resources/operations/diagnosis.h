// GET /diagnosis: how a request reaches a worker, for tradepostctl doctor alone.
#pragma once
#include "api/call.h"

namespace tradepost::operations {

// The pool, the client's address and the hash of the Authorization field; from the uploads pool also the directory of its store and the
// faults there. 404 without an unused pass (identity/diagnosis_pass.h).
http::Response get_diagnosis(api::Call& call);

}  // namespace tradepost::operations
