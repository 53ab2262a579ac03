/** A way to a server that can be closed and opened again. To a browser, a closed one is a server that is gone. */
import { connect, createServer, type Socket } from 'node:net'
import { Endpoint } from '../../test/support/endpoint.js'
import { freePorts } from '../../test/support/ports.js'

export class Gate extends Endpoint {
  private readonly sockets = new Set<Socket>()
  private readonly server = createServer((from) => {
    const to = connect(this.behind.ports[0], '127.0.0.1')
    from.pipe(to).pipe(from)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        this.sockets.delete(one)
        other.destroy()
      })
    }
  })

  private constructor(
    private readonly behind: Endpoint,
    port: number,
  ) {
    super([port, behind.ports[1]], behind.env)
  }

  static async before(server: Endpoint): Promise<Gate> {
    const [port = 0] = await freePorts(1)
    const gate = new Gate(server, port)
    await gate.open()
    return gate
  }

  open(): Promise<void> {
    return new Promise((done, fail) => {
      this.server.once('error', fail).listen(this.ports[0], '127.0.0.1', () => done())
    })
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
}
