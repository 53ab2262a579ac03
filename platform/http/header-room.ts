/**
 * Sets the maximum size of a request's head. uWebSockets.js reads it from the environment when it is loaded, so import
 * this first. Its default of 4 KiB is too small for a proxy's cookies or a tracer's baggage.
 */
process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(32 << 10)
