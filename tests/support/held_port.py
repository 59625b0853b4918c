"""A TCP port for a server that a test starts later, or starts again."""
import socket


def held_port():
    """A socket that is bound to a port of 127.0.0.1 and does not listen. Keep it as long as the port is needed: no other program gets the port
    meanwhile, and a server that sets SO_REUSEADDR, as those of http.server and asyncio do, can listen on it."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    return held
