// A TCP port for a server that a test starts later. It is bound and not only chosen, so no other program gets it meanwhile.
#pragma once
#include "core/file_descriptor.h"

namespace tradepost::test {

// Who can listen on the port while it is held: programs that set SO_REUSEADDR, as nginx and Redis do, or nobody.
enum class Listeners { servers, none };

// A port of 127.0.0.1 until this object ends. It does not listen, so connections are refused until a server does.
class HeldPort {
public:
    // `number` 0: one that is free. Throws std::system_error when it is not.
    explicit HeldPort(Listeners listeners = Listeners::servers, int number = 0);
    int number() const { return number_; }
    int descriptor() const { return socket_.get(); }  // for a listen() of the test itself

private:
    core::FileDescriptor socket_;
    int number_;
};

}  // namespace tradepost::test
