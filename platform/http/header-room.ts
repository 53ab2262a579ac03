/**
 * How large the head of a request may be: uWebSockets.js reads it from the environment when it is loaded, so this is
 * imported before it. Its own 4 KiB are too few for cookies of a proxy, or baggage of a tracer.
 */
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(32 << 10)
