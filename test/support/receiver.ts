/** Receives notifications as another service would: keeps what came, and answers what a test wants. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export class Receiver {
  readonly got: Received[] = []
  /** What to do with a request; default: 200. */
  answer: (response: ServerResponse, got: Received) => void = (response) => response.end()

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer(async (request, response) => {
      const got = { path: request.url ?? '', headers: request.headers, body: await text(request) }
      receiver.got.push(got)
      receiver.answer(response, got)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return receiver
  }

  /** What came at a path, as JSON. */
  at<T = Record<string, unknown>>(path: string): T[] {
    return this.got.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as T)
  }

  stop(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}
