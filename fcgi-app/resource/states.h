// The states that the field `status` goes through.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace tradepost::resource {

struct State {
    std::string_view name;
    std::array<std::string_view, 2> next = {};  // those that may follow; staying is no move
    bool begins = false;                        // a new item may have it
    std::string_view put_next = {};             // one that may follow by a PUT as well: feeds say PUBLISHED, whatever was before
};

using States = std::span<const State>;

inline bool may_begin(States states, std::string_view name) {
    return std::any_of(states.begin(), states.end(), [&](const State& state) { return state.begins && state.name == name; });
}

inline bool may_move(States states, std::string_view from, std::string_view to, bool by_put = false) {
    if (from == to) return true;
    return std::any_of(states.begin(), states.end(), [&](const State& state) {
        return state.name == from &&
               (std::find(state.next.begin(), state.next.end(), to) != state.next.end() || (by_put && state.put_next == to));
    });
}

// "DRAFT or PUBLISHED"
inline std::string beginnings(States states) {
    std::string list;
    for (const auto& state : states)
        if (state.begins) list.append(list.empty() ? "" : " or ").append(state.name);
    return list;
}

}  // namespace tradepost::resource
