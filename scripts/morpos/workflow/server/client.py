"""Have a step run by the server of a local run (`server`), as if it ran here."""

# Not `socket`, whose import takes as long as everything else that the client does.
import _socket
import os
import sys
from collections.abc import Sequence

ADDRESS = "MORPOS_SERVER"
#: The answer of a server that cannot start the step: too many files or processes already.
BUSY = 255


def run_remote(address: str, arguments: Sequence[str]) -> int | None:
    """The exit code of a step that the server runs; None if no server takes it.

    Working directory, environment, standard input, output and error are this process's. If this
    process ends, the step is killed. If the server ends before the step does, the step has failed.
    """
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        server.connect(address)
    except OSError:
        return None
    environment = [f"{key}={value}" for key, value in os.environ.items()]
    texts = [os.getcwd(), str(len(environment)), *environment, *arguments]
    message = os.fsencode("\0".join(texts))
    files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    try:
        server.sendmsg(
            [len(message).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)]
        )
        server.sendall(message)
        answer = server.recv(1)
    except ConnectionError:
        answer = b""
    except KeyboardInterrupt:
        print(f"morpos {' '.join(arguments[:1])}: interrupted", file=sys.stderr)
        return 130
    code = answer[0] if answer else 1
    if code == BUSY:
        return None
    # 130 and 141 a step gives itself: interrupted, and its reader gone.
    if not answer or (code > 128 and code not in (130, 141)):
        ended = f"was ended by signal {code - 128}" if answer else "ended with all others"
        print(
            f"morpos {' '.join(arguments[:1])}: the process of this step {ended}; killed, or no "
            "memory left? Run again",
            file=sys.stderr,
        )
    return code
