/** A server that runs somewhere: its addresses, its key, its command line. */
import { Api } from './api.js'
import { heddle } from './command.js'

/** The development key of every server of a test. */
export const KEY = 'test-development-key-0123456789abcdef'

export class Endpoint {
  readonly key = KEY
  readonly url: string
  readonly metricsUrl: string
  /** Called with the development key. */
  readonly api: Api

  constructor(
    readonly ports: readonly [number, number],
    /** what the server was started with */
    readonly env: NodeJS.ProcessEnv,
  ) {
    this.url = `http://127.0.0.1:${ports[0]}`
    this.metricsUrl = `http://127.0.0.1:${ports[1]}`
    this.api = new Api(this.url, this.key)
  }

  /** Where it takes OTLP over gRPC, if its test named a port. */
  get otlpGrpcUrl(): string {
    return `http://127.0.0.1:${this.env.HEDDLE_OTLP_GRPC_PORT}`
  }

  /** The value of a metric, all its series summed; 0 when it isn't there. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const text = await (await fetch(`${this.metricsUrl}/metrics`)).text()
    let sum = 0
    for (const line of text.split('\n')) {
      if (!(line.startsWith(`${name} `) || line.startsWith(`${name}{`))) continue
      if (!Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`))) continue
      sum += Number(line.slice(line.lastIndexOf(' ') + 1))
    }
    return sum
  }

  /** Runs `heddle <arguments>` against the same configuration; returns its standard output. */
  cli(...args: string[]): Promise<string> {
    return heddle(args, { env: this.env })
  }

  /** The same with something on the standard input. */
  cliWith(input: string, ...args: string[]): Promise<string> {
    return heddle(args, { env: this.env, input })
  }
}
