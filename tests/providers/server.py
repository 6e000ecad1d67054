"""A server on loopback that speaks the wire formats of providers.

What it says comes from a brain, a function of the request; what goes wrong on the way
comes from a plan, a function of the request and its number.
"""

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any

from providers.anthropic_wire import MESSAGES
from providers.google_wire import GENERATE
from providers.openai_wire import CHAT, RESPONSES
from providers.wire import Asked, Format, Said

FORMATS = (CHAT, RESPONSES, MESSAGES, GENERATE)

Brain = Callable[[Asked], Said]
"""What is said to a request."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one request."""

    status: int = 200
    """HTTP status; from 400 on the body is the format's error."""

    message: str = "injected"
    """The error's message."""

    retry_after: float | None = None
    """Seconds after which the server wants to be asked again."""

    damage: str = ""
    """`cut`: the connection ends within the body. `short`: a stream ends, orderly,
    before its last event. `malformed`: no JSON. `reset`: the connection is reset before
    the reply. `slow`: nothing comes for as long as the server lives."""


Plan = Callable[[int, Asked], Fault | None]
"""The fault of a request, given its number from 0, or None."""


@dataclass
class Server:
    """A running server and what it was asked."""

    port: int
    """The loopback port that it listens on."""

    asked: list[Asked] = field(default_factory=list)
    """Every request, in the order of arrival."""

    times: list[tuple[float, float]] = field(default_factory=list)
    """Arrival and departure of every request that got a reply, in order of departure."""

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def questions(self) -> list[Asked]:
        """The requests, without those that a provider makes for itself."""
        return [a for a in self.asked if "hello, world" not in a.question]


@contextmanager
def served(brain: Brain, plan: Plan = lambda number, asked: None) -> Iterator[Server]:
    """A server on a free port of loopback for as long as the block runs."""
    stopping = threading.Event()
    handler = type("Handler", (_Handler,), {"brain": staticmethod(brain)})
    handler.plan, handler.stopping = staticmethod(plan), stopping  # type: ignore[attr-defined]
    http = _Server(("127.0.0.1", 0), handler)
    handler.seen = Server(http.server_address[1])  # type: ignore[attr-defined]
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield handler.seen  # type: ignore[attr-defined]
    finally:
        stopping.set()
        http.shutdown()
        http.server_close()
        thread.join()


def closed_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class _Server(ThreadingHTTPServer):
    """A thread for each request, all of them gone when the server is closed."""

    daemon_threads = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    """One request; the connection is closed after it, so that none is left open."""

    brain: Brain
    plan: Plan
    seen: Server
    stopping: threading.Event
    protocol_version = "HTTP/1.1"
    _lock = threading.Lock()

    def do_POST(self) -> None:
        arrived = monotonic()
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        path = self.path.partition("?")[0]
        found = [f for f in FORMATS if re.fullmatch(f.path, path)]
        if not found:
            self._send(404, b"{}")
            return
        form = found[0]
        asked = form.read(form.name, path, raw)
        with self._lock:
            number = len(self.seen.asked)
            self.seen.asked.append(asked)
        fault = self.plan(number, asked) or Fault()
        self._reply(form, asked, fault)
        with self._lock:
            self.seen.times.append((arrived, monotonic()))

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def _reply(self, form: Format, asked: Asked, fault: Fault) -> None:
        """The reply, with its fault."""
        if fault.damage == "slow":
            self.stopping.wait(30)
        elif fault.damage == "reset":
            self._reset()
        elif fault.status >= 400:
            body = json.dumps(form.error(fault.status, fault.message)).encode()
            self._send(fault.status, body, fault)
        elif asked.stream:
            self._stream(form, form.events(asked, self.brain(asked)), fault)
        else:
            body = json.dumps(form.write(asked, self.brain(asked))).encode()
            self._send(200, body, fault)

    def _send(self, status: int, body: bytes, fault: Fault | None = None) -> None:
        """A whole body, unless it is to be damaged."""
        damage = fault.damage if fault else ""
        if damage == "malformed":
            body = body[: len(body) // 2]
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        if fault and fault.retry_after is not None:
            self.send_header("Retry-After", str(fault.retry_after))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if damage == "cut" else body)
        self.close_connection = True

    def _stream(self, form: Format, events: list[str], fault: Fault) -> None:
        """Server-sent events in chunks, of which the last may be missing."""
        if fault.damage in ("cut", "short"):
            events = events[: form.unfinished]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            data = event.encode()
            if fault.damage == "malformed":
                data = data.replace(b"}", b"", 1)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        if fault.damage != "cut":
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True

    def _reset(self) -> None:
        """Close with a reset instead of a farewell."""
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.close_connection = True
