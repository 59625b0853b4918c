// What a call was refused with, as one text to compare.
#pragma once
#include <string>

#include "http/error.h"

namespace tradepost::test {

// "400 Invalid query" when `call` throws that ApiError, "accepted" when it throws nothing; other exceptions pass.
template <class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const http::ApiError& error) {
        return std::to_string(error.status) + " " + error.external;
    }
    return "accepted";
}

}  // namespace tradepost::test
