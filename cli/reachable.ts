/** The host that people on this machine reach a server at. */

/** @param host what the server listens on */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
