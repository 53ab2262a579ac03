/**
 * A baseline for HTTP: uWebSockets.js takes a body, drops it and answers 200. Prints its port. No server on this
 * library can be faster.
 */
import uWS from 'uWebSockets.js'

const app = uWS.App()
app.post('/*', (response) => {
  response.onAborted(() => {})
  response.onData((_chunk, last) => {
    if (last) response.end()
  })
})
app.listen('127.0.0.1', 0, (socket) => {
  process.send?.(uWS.us_socket_local_port(socket))
})
process.on('disconnect', () => process.exit(0))
