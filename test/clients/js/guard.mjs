// Refuses any connection that leaves this machine, so a test fails where a client phones home. Load it with
// `--import` before anything else. It knows nothing of the clients.
import net from 'node:net'

const local = /^(127\.|::1$|localhost$)/
const connect = net.Socket.prototype.connect

net.Socket.prototype.connect = function (...parts) {
  const options = Array.isArray(parts[0]) ? parts[0][0] : parts[0]
  const host = typeof options === 'object' ? options.host : parts[1]
  if (typeof host === 'string' && !local.test(host)) {
    process.stderr.write(`OUTSIDE ${host}\n`)
    process.exit(97)
  }
  return connect.apply(this, parts)
}
