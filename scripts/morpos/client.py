"""Have a step run by the server of a local run (`morpos.server`), as if it ran here."""

# Not `socket`, whose import takes as long as everything else that the client does.
import _socket
import os
import sys
from collections.abc import Sequence

ADDRESS = "MORPOS_SERVER"


def ask(address: str, arguments: Sequence[str]) -> int | None:
    """The exit code of a step that the server runs; None if there is no server.

    Working directory, environment, standard input, output and error are this process's. If this
    process ends, the step is killed.

    Raises:
        ConnectionError: the server ended before the step did.
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
    server.sendmsg(
        [len(message).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)]
    )
    server.sendall(message)
    answer = server.recv(1)
    if not answer:
        raise ConnectionError("the process that runs the steps has ended; run again")
    return answer[0]
