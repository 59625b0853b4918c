"""Programs in namespaces of their own: with another folder of the system's certificates, with another name, or in a network whose DNS servers never answer."""
import os
import shutil
import subprocess
import sys

# A user who is not root needs a user namespace as well.
UNSHARE = ["unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--mount", "--propagation", "private"]

# Three servers that are one socket, which nobody reads. They are asked often and patiently, as some hosts are set up to do.
RESOLVER = "nameserver 127.0.0.1\nnameserver 127.0.0.2\nnameserver 127.0.0.3\noptions timeout:5 attempts:4\n"
SILENT_NETWORK = """
import fcntl, os, socket, struct, sys
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
fcntl.ioctl(server, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
server.bind(("0.0.0.0", 53))
os.set_inheritable(server.fileno(), True)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def with_system_certificate(folder, certificate, command):
    """The command where `certificate` is the only CA that the system trusts."""
    certificates = f"{folder}/system-certificates"
    os.makedirs(certificates, exist_ok=True)
    shutil.copy(certificate, f"{certificates}/test-ca.pem")
    shutil.copy(certificate, f"{certificates}/ca-certificates.crt")
    subprocess.run(["openssl", "rehash", certificates], check=True, capture_output=True)
    return [*UNSHARE, "sh", "-ec", 'mount --bind "$0" /etc/ssl/certs; exec "$@"', certificates, *command]


def with_host(folder, name, command):
    """The command where `name` is this host's."""
    with open(f"{folder}/hosts", "w", encoding="ascii") as file:
        file.write(f"127.0.0.1 localhost {name}\n")
    return [*UNSHARE, "sh", "-ec", 'mount --bind "$0" /etc/hosts; exec "$@"', f"{folder}/hosts", *command]


def without_dns(folder, command):
    """The command in a network of this host alone, where queries of DNS get no answer."""
    with open(f"{folder}/resolv.conf", "w", encoding="ascii") as file:
        file.write(RESOLVER)
    return [*UNSHARE, "--net", "sh", "-ec", 'mount --bind "$0" /etc/resolv.conf; exec "$@"', f"{folder}/resolv.conf",
            sys.executable, "-c", SILENT_NETWORK, *command]
