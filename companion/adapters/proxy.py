"""haproxy in front of the processes of a hall: its configuration, and where its program is.

Requests go to the process that a hash of their table chooses, so that a table is held in one process; which one it is
matters for speed only.  Event streams that tell versions alone go to the gateway.
"""

import resource
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PLACES = ("/usr/sbin/haproxy", "/usr/local/sbin/haproxy")
"""Where Debian has it: not on the path of every user."""
MOST_CONNECTIONS = 20_000
SPARE_CONNECTIONS = 16
"""Connections that are no page's: for the question whether the proxy is well."""
CONNECTIONS_OF_A_PROCESS = 8
"""Requests that one process gets at a time: as many as wait for the database and the disk while two draw.

The others wait in the proxy, which costs little, and where those that change something come first.
"""
STREAMS_OF_A_PROCESS = 64
"""Streams with whole positions, for programs; the app refuses those for which it has no thread."""
BUFFER = 32_768
"""Bytes of a request that are held until they are all there: more than the app takes from strangers, headers too."""
SHARE_OF_A_SOURCE = 0.5
"""Part of all connections that one address may have: a whole hall may come through one router.

A browser keeps up to six, a page that follows a table two or three.  The machine itself is free of this.
"""


def find_haproxy() -> str | None:
    """Return the path of haproxy; ``None`` where it is not installed."""
    return shutil.which("haproxy") or next((place for place in PLACES if Path(place).exists()), None)


@dataclass(frozen=True, slots=True)
class ProxyPlan:
    """Sockets that the proxy connects.

    Attributes:
        workers: The sockets of the processes of the app, by name.
        gateway: The socket of the gateway.
        health: The socket on which the proxy itself says that it is well.
        listening: The file descriptor of the listening socket for plain pages.
        port: The port of that socket: codes lead there, from secure pages too.
        secure: That for secure pages, with the file of certificate and key (PEM); ``None``: there are none.

    """

    workers: Sequence[tuple[str, Path]]
    gateway: Path
    health: Path
    listening: int
    port: int
    secure: tuple[int, Path] | None = None


def write_configuration(plan: ProxyPlan) -> str:
    """Return the configuration of haproxy 2.6 or newer."""
    servers = [f"    server {name} unix@{path}" for name, path in plan.workers]
    unready = [f"    server {name}-unready unix@{path} no-check backup" for name, path in plan.workers]
    by_table = [
        "    balance hash var(txn.table)",
        "    hash-type consistent",
        "    option redispatch 1",
        "    retries 3",
    ]
    chosen = [
        f"    use-server {name} if {{ path /metrics }} {{ url_param(process) -m str {name} }}"
        for name, _ in plan.workers
    ]
    secure = () if plan.secure is None else (f"    bind fd@{plan.secure[0]} ssl crt {plan.secure[1]} alpn h2,http/1.1",)
    return "\n".join(
        (
            "global",
            f"    maxconn {_most_connections()}",
            f"    tune.bufsize {BUFFER}",
            "    log stderr format raw daemon notice",
            "",
            "defaults",
            "    mode http",
            "    log global",
            "    timeout connect 1s",
            "    timeout http-request 15s",
            "    timeout http-keep-alive 60s",
            "    timeout client 60s",
            "    timeout server 60s",
            "    timeout queue 30s",
            "    timeout check 5s",
            # A page that has waited long enough closes, and asks anew: nothing is done for one that has gone.  In a
            # backend alone it would do nothing: that clients close is noticed by the frontend.
            "    option abortonclose",
            "",
            "frontend pages",
            # However many connections there are, the question whether the proxy is well is answered.
            f"    maxconn {_most_connections() - SPARE_CONNECTIONS}",
            f"    bind fd@{plan.listening}",
            *secure,
            f"    stick-table type ipv6 size {MOST_CONNECTIONS} expire 2m store conn_cur",
            "    acl is_this_machine src 127.0.0.1 ::1",
            "    tcp-request connection track-sc0 src unless is_this_machine",
            f"    tcp-request connection reject if {{ sc0_conn_cur gt {connections_of_a_source()} }}",
            # A process gets a request once its body is there or fills the buffer, within the timeout of http-request.
            "    option http-buffer-request",
            # Whoever connects cannot say who they are by these: what they send is replaced.
            "    http-request set-header X-Forwarded-For %[src]",
            "    http-request set-header X-Forwarded-Proto https if { ssl_fc }",
            "    http-request set-header X-Forwarded-Proto http unless { ssl_fc }",
            f"    http-request set-header X-Companion-At %[dst]:{plan.port}",
            "    http-request set-var(txn.table) path,field(3,/) if { path_beg /tables/ }",
            "    http-request set-var(txn.table) path,field(5,/) if { path_beg /api/v1/tables/ }",
            "    acl is_stream path_reg ^/api/v1/tables/[^/]+/stream$",
            "    acl is_stream_of_versions url_param(data) -m str version",
            "    acl is_asked_once url_param(once) -m found",
            "    use_backend streams if is_stream is_stream_of_versions !is_asked_once",
            "    use_backend positions if is_stream !is_asked_once",
            "    use_backend streams if { path /metrics } { url_param(process) -m str gateway }",
            # Of those that wait for a process, whoever changes something comes first.
            "    http-request set-priority-class int(-1) unless { method GET HEAD }",
            "    default_backend app",
            "",
            "frontend health",
            f"    bind unix@{plan.health}",
            "    monitor-uri /readyz",
            "",
            "backend app",
            *by_table,
            "    option httpchk",
            "    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost hdr Connection close",
            "    http-check expect status 200",
            # A request with a key counts once however often it is sent, and so does one that only reads.
            "    retry-on conn-failure empty-response",
            "    http-request disable-l7-retry unless { method GET HEAD } or { req.hdr(Idempotency-Key) -m found }",
            *chosen,
            f"    default-server check inter 500ms fall 2 rise 1 maxconn {CONNECTIONS_OF_A_PROCESS}",
            *servers,
            # While none is ready, as when the database is away for long, the app says so in words, and not the proxy.
            "    option allbackups",
            *unready,
            "",
            "backend positions",
            *by_table,
            f"    default-server maxconn {STREAMS_OF_A_PROCESS}",
            *(f"{server} track app/{name}" for server, (name, _) in zip(servers, plan.workers, strict=True)),
            "",
            # Its socket stays open while the gateway is replaced or started again: who comes meanwhile waits.
            "backend streams",
            "    option http-no-delay",  # or the system gathers what is sent for 200 ms
            "    retries 3",
            f"    server gateway unix@{plan.gateway}",
            "",
        )
    )


def connections_of_a_source() -> int:
    """Return how many connections one address may have."""
    return int(_most_connections() * SHARE_OF_A_SOURCE)


def _most_connections() -> int:
    """Return how many connections fit into the files that a process may have open, two for each."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if hard == resource.RLIM_INFINITY else max(100, min(MOST_CONNECTIONS, (hard - 100) // 2))
