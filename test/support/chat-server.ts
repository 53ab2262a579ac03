/**
 * Everything that a chat completion passes through, as `heddle up` starts it: the service, a Redis, a worker and a
 * model node with the demo model. Fails where the Python model server is not set up: a test that needs it says so.
 */
import { demoModel } from './demo-model.js'
import type { Endpoint } from './endpoint.js'
import { freePorts } from './ports.js'
import { processBelow } from './processes.js'
import { Server, type ServerOptions } from './server.js'
import { until } from './until.js'

/** What the demo model answers to `capital`, every time. */
export const PARIS = 'The capital of France is Paris.'
export const capital = { messages: [{ role: 'user', content: 'What is the capital of France?' }] }

/** A {@link ChatServer} that runs somewhere. */
export class ChatEndpoint {
  constructor(
    readonly server: Endpoint,
    /** of the training interface, without `/v1` */
    readonly url: string,
    /** of `heddle up` */
    private readonly pid: number,
  ) {}

  /** Waits until a completion works. */
  async served(seconds = 120): Promise<void> {
    let said = ''
    const answered = async () => {
      const answer = await this.post({ ...capital, max_tokens: 1 })
      said = `${answer.status} ${await answer.text()}`
      return answer.status === 200
    }
    await until('the model to answer', answered, seconds, 250).catch((error: Error) => {
      throw new Error(`${error.message}; answered: ${said}`)
    })
  }

  /** Posts a chat completion with the development key. `init` overrules headers and signal. */
  post(body: object, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      headers: this.authorization,
      body: JSON.stringify(body),
      ...init,
    })
  }

  get authorization(): { authorization: string } {
    return { authorization: `Bearer ${this.server.key}` }
  }

  /** What points the OpenAI SDKs here. */
  get clientEnv(): { OPENAI_BASE_URL: string; OPENAI_API_KEY: string } {
    return { OPENAI_BASE_URL: `${this.url}/v1`, OPENAI_API_KEY: this.server.key }
  }

  /** The id of the process below the server whose command line has `text` in it. */
  processOf(text: string): number {
    return processBelow(this.pid, text)
  }
}

export class ChatServer extends ChatEndpoint {
  private constructor(
    override readonly server: Server,
    url: string,
  ) {
    super(server, url, server.pid)
  }

  /**
   * Starts it and returns when the model answers. The options are the server's own; with `HEDDLE_NODES` these nodes
   * answer instead of the demo model.
   */
  static async start(options: ServerOptions = {}): Promise<ChatServer> {
    const [port = 0] = await freePorts(1)
    const env = {
      HEDDLE_CHAT: 'true',
      ...(options.env?.HEDDLE_NODES === undefined && { HEDDLE_MODEL: demoModel() }),
      HEDDLE_TRAINING_PORT: String(port),
    }
    const server = await Server.start({ ...options, env: { ...env, ...options.env } })
    const chat = new ChatServer(server, `http://127.0.0.1:${port}`)
    try {
      await chat.served()
    } catch (error) {
      await chat.dispose()
      throw new Error(
        `${error instanceof Error ? error.message : String(error)}\n${server.output.slice(-4_000)}`,
      )
    }
    return chat
  }

  /** Stops it and removes its data. */
  dispose(): Promise<void> {
    return this.server.dispose()
  }
}
