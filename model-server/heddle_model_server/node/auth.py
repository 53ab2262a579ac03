"""Checks the shared token of every call. Knows nothing of what calls do."""

from __future__ import annotations

import hmac

import grpc


class TokenCheck(grpc.aio.ServerInterceptor):
    """Requires the metadata `authorization: Bearer <token>` on every call."""

    def __init__(self, token: str):
        self._wanted = f"Bearer {token}".encode()

    async def intercept_service(self, continuation, details):
        """gRPC's hook: replaces the handler of an unauthenticated call by a refusal."""
        given = next((value for key, value in details.invocation_metadata if key == "authorization"), "")
        handler = await continuation(details)
        if handler is None or hmac.compare_digest(given.encode() if isinstance(given, str) else given, self._wanted):
            return handler

        async def refuse(_requests, context):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "Send this node's shared token: authorization: Bearer <token>.",
                (("heddle-code", "UNAUTHENTICATED"),),
            )

        # On the wire a call of one message is a stream of one.
        return grpc.stream_stream_rpc_method_handler(
            refuse, handler.request_deserializer, handler.response_serializer
        )
