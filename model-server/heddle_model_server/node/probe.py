"""The health probe: asks the node on this machine for its state, as an ordinary gRPC client."""

import sys
from pathlib import Path

import grpc

from heddle.node.v1 import node_pb2 as pb, node_pb2_grpc

from ..settings import NodeSettings

SECONDS = 8.0


def probe(settings: NodeSettings, alive: bool, authority: str = "", name: str = "") -> int:
    """Returns 0 if the node takes requests (with `alive`: if it needs no restart); else 1, with the reason on standard error.
    authority, name: with TLS the authority's certificate (a file) and a name that the node's certificate covers."""
    metadata = (("authorization", f"Bearer {settings.token}"),) if settings.token else ()
    try:
        with channel(settings, authority, name) as connection:
            # The node sends its first report at once.
            reports = node_pb2_grpc.NodeServiceStub(connection).WatchLoad(
                pb.WatchLoadRequest(), timeout=SECONDS, metadata=metadata
            )
            state = next(iter(reports)).state
            reports.cancel()
    except grpc.RpcError as error:
        print(f"no answer: {error.code().name} {error.details()}", file=sys.stderr)
        return 1
    wanted = {pb.NODE_STATE_SERVING, pb.NODE_STATE_DRAINING} if alive else {pb.NODE_STATE_SERVING}
    print(pb.NodeState.Name(state))
    return 0 if state in wanted else 1


def channel(settings: NodeSettings, authority: str, name: str) -> grpc.Channel:
    """A channel to the node's own address, with TLS if the node uses it."""
    host, _, port = settings.listen.rpartition(":")
    target = f"{'127.0.0.1' if host in ('0.0.0.0', '[::]', '') else host}:{port}"
    if not settings.tls_cert:
        return grpc.insecure_channel(target)
    credentials = grpc.ssl_channel_credentials(
        Path(authority or settings.tls_cert).read_bytes(),
        Path(settings.tls_key).read_bytes(),
        Path(settings.tls_cert).read_bytes(),
    )
    return grpc.secure_channel(target, credentials, (("grpc.ssl_target_name_override", name),) if name else ())
