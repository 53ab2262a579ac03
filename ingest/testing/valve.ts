/** A TCP relay between a service and its store that a test can stall, shut, or let swallow or hold answers. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Valve {
  private readonly server: Server
  private readonly pairs = new Set<[Socket, Socket]>()
  private stalled = false
  private swallowing: RegExp | undefined
  private holding: { to: RegExp; left: number } | undefined
  private held: (() => void)[] = []
  private refusing = false

  private constructor(target: URL) {
    this.server = createServer((near) => this.relay(near, connect(Number(target.port), target.hostname)))
  }

  /** Relays to `target`; resolves with the address to use instead. */
  static async open(target: string): Promise<{ valve: Valve; url: string }> {
    const valve = new Valve(new URL(target))
    await new Promise<void>((resolve) => valve.server.listen(0, '127.0.0.1', resolve))
    const address = valve.server.address()
    if (address === null || typeof address === 'string') throw new Error('the relay has no port')
    return { valve, url: `http://127.0.0.1:${address.port}` }
  }

  /** Nothing passes, and nobody is told. */
  stall(): void {
    this.stalled = true
    for (const pair of this.pairs) for (const socket of pair) socket.pause()
  }

  /** Connections end, and new ones are refused. */
  shut(): void {
    this.refusing = true
    this.endAll()
  }

  /** What is asked arrives, what is answered does not: the connection ends instead. @param to which statements */
  swallowAnswers(to = /(?:)/): void {
    this.swallowing = to
  }

  /** What is asked arrives, what is answered waits for {@link release}. @param to which statements @param count how many */
  holdAnswers(to: RegExp, count = Number.POSITIVE_INFINITY): void {
    this.holding = { to, left: count }
  }

  /** Answers that wait. */
  get holds(): number {
    return this.held.length
  }

  /** Everything passes again. */
  release(): void {
    this.holding = undefined
    for (const pass of this.held.splice(0)) pass()
    this.stalled = false
    this.swallowing = undefined
    this.refusing = false
    for (const pair of this.pairs) for (const socket of pair) socket.resume()
  }

  async close(): Promise<void> {
    this.endAll()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private endAll(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy()
  }

  private relay(near: Socket, far: Socket): void {
    if (this.refusing) {
      near.destroy()
      far.destroy()
      return
    }
    const pair: [Socket, Socket] = [near, far]
    this.pairs.add(pair)
    const end = () => {
      this.pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) {
      socket.on('error', end)
      socket.on('close', end)
    }
    let asked = ''
    near.on('data', (chunk) => {
      if (chunk.toString('latin1', 0, 5) === 'POST ') asked = chunk.toString('latin1', 0, 2000)
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (this.swallowing?.test(asked)) end()
      else if (this.holding?.to.test(asked) && this.holding.left-- > 0)
        this.held.push(() => near.write(chunk))
      else near.write(chunk)
    })
    if (this.stalled) for (const socket of pair) socket.pause()
  }
}
