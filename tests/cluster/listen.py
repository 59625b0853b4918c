"""Listens to the network of the machines, from within the namespace of its switch: what crosses it without encryption?

listen.py PATTERN: prints "ready"; then, once its input ends, a line for each TCP port below 40000 with the number of bytes to and from it, and how
often a packet had what the pattern (a regular expression) matches.
"""
import collections
import re
import selectors
import socket
import sys

ETH_P_ALL, IPV4, TCP = 3, b"\x08\x00", 6


def main(pattern):
    pattern = re.compile(pattern.encode())
    counts, found = collections.Counter(), collections.Counter()
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 << 20)
    with selectors.DefaultSelector() as selector:
        selector.register(packets, selectors.EVENT_READ)
        selector.register(sys.stdin, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            ready = [key.fileobj for key, _ in selector.select()]
            if packets in ready:
                frame = packets.recv(70000)
                if frame[12:14] == IPV4 and frame[23] == TCP:
                    start = 14 + (frame[14] & 15) * 4
                    port = min(int.from_bytes(frame[start:start + 2], "big"), int.from_bytes(frame[start + 2:start + 4], "big"))
                    counts[port] += len(frame)
                    if pattern.search(frame):
                        found[port] += 1
            elif sys.stdin in ready:
                break
    for port, count in sorted(counts.items()):
        if port < 40000:
            print(port, count, found[port])


main(sys.argv[1])
