/**
 * For tests alone: a node that speaks the real protocol and generates what a test says. Without a script it says the
 * words of the last message, one token each.
 */
import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import * as messages from '../messages.js'
import { answerTogether, type ScriptedCall } from './scripted-call.js'

type Codec<T> = messages.Codec<T>

/** Answers one request: write events, then end. */
export type Script = (call: ScriptedCall, node: ScriptedNode) => void | Promise<void>

/** Answers one request for embeddings. */
export type EmbedScript = (
  call: ServerWritableStream<messages.EmbedRequest, Partial<messages.GenerateEvent>>,
  node: ScriptedNode,
) => void | Promise<void>

export class ScriptedNode {
  /** requests that came, the newest last */
  readonly requests: messages.GenerateRequest[] = []
  readonly adapters = new Map<string, string>()
  /** requests that were cancelled from the other side */
  cancelled = 0
  /** requests that run */
  running = 0
  healthy = true
  /** as it tells its watchers: a training job has the device */
  paused = false
  /** what it does when it is asked to serve while it is paused */
  wake: () => void = () => undefined
  script: Script = sayWords
  /** answers a request for embeddings; default: see {@link countCharacters} */
  embed: EmbedScript = countCharacters
  /** what loading an adapter waits for */
  loading: () => Promise<void> = async () => undefined
  private readonly server = new Server()
  private readonly watchers = new Set<() => void>()
  private port = 0
  readonly info: messages.NodeInfo

  constructor(more: Partial<messages.NodeInfo> = {}) {
    this.info = {
      ...{ nodeId: `scripted-${Math.random()}`, model: 'scripted', engine: 'script', engineVersion: '1' },
      ...{ device: 'none', dtype: 'none', contextLength: 4096, vocabulary: 1000, parameters: 1, slots: 64 },
      ...{ cacheTokens: 1e6, queueLimit: 256, maxAdapters: 8, maxAdapterRank: 64, priorityScheduling: false },
      ...{ unsupportedFields: [], extensions: [], images: false, toolParser: '', reasoningParser: '' },
      ...{ together: true, embeds: false, embeddingDimensions: 0 },
      ...more,
    }
    const { adapters } = this
    this.server.addService(
      {
        Generate: stream('Generate', messages.generateRequest, messages.generateEvent),
        GenerateTogether: {
          ...stream('GenerateTogether', messages.togetherRequest, messages.togetherEvents),
          requestStream: true,
        },
        Embed: stream('Embed', messages.embedRequest, messages.generateEvent),
        WatchLoad: stream('WatchLoad', messages.watchLoadRequest, messages.loadReport),
        Info: unary('Info', messages.infoRequest, messages.infoResponse),
        Health: unary('Health', messages.healthRequest, messages.healthResponse),
        Wake: unary('Wake', messages.wakeRequest, messages.wakeResponse),
        LoadAdapter: unary('LoadAdapter', messages.loadAdapterRequest, messages.loadAdapterResponse),
      },
      {
        Generate: (call: ScriptedCall) => void this.generate(call),
        Embed: (call: ServerWritableStream<messages.EmbedRequest, Partial<messages.GenerateEvent>>) =>
          void this.embed(call, this),
        GenerateTogether: ((call) =>
          answerTogether(call, (one) => void this.generate(one))) as handleBidiStreamingCall<
          messages.TogetherRequest,
          messages.TogetherEvents
        >,
        WatchLoad: ((call) => this.watch(call)) as handleServerStreamingCall<object, messages.LoadReport>,
        Info: ((_, answer) => answer(null, this.info)) as handleUnaryCall<object, messages.NodeInfo>,
        Health: ((_, answer) =>
          this.healthy
            ? answer(null, { tokenId: 1, latencyMs: 1 })
            : answer(refusal('UNHEALTHY', status.UNAVAILABLE, 'not well'))) as handleUnaryCall<
          object,
          object
        >,
        Wake: ((_, answer) => {
          this.wake()
          answer(null, {})
        }) as handleUnaryCall<object, object>,
        LoadAdapter: (async (call, answer) => {
          await this.loading()
          adapters.set(call.request.adapterId, call.request.address)
          answer(null, { loaded: true })
        }) as handleUnaryCall<{ adapterId: string; address: string }, { loaded: boolean }>,
      },
    )
  }

  /** Listens on loopback. @param port of an earlier one, to come back as it */
  async start(port = 0): Promise<string> {
    this.port = await new Promise<number>((resolve, reject) =>
      this.server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    )
    return this.address
  }

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  /** Gone at once, every connection cut. */
  kill(): void {
    this.server.forceShutdown()
  }

  /** Tells its watchers how it is. */
  report(): void {
    for (const send of this.watchers) send()
  }

  private async generate(call: ScriptedCall): Promise<void> {
    this.requests.push(call.request)
    this.running++
    let over = false
    const end = () => {
      if (!over) this.running--
      over = true
    }
    call.on('cancelled', () => {
      this.cancelled++
      end()
    })
    const { adapterId = '' } = call.request
    if (adapterId !== '' && !this.adapters.has(adapterId)) {
      end()
      call.emit('error', refusal('ADAPTER_NOT_LOADED', status.FAILED_PRECONDITION, 'load it first'))
      return
    }
    call.on('finish', end)
    call.on('error', end)
    await this.script(call, this)
  }

  private watch(call: ServerWritableStream<object, messages.LoadReport>): void {
    const send = () =>
      call.write({
        ...{ state: messages.NODE_STATE.serving, running: this.running, waiting: 0, freeSlots: 1 },
        ...{ freeCacheTokens: 1, generatedTokensPerSecond: 0, promptTokensPerSecond: 0 },
        ...{ adapterIds: [...this.adapters.keys()], requestsTotal: 0, generatedTokensTotal: 0 },
        ...{ promptTokensTotal: 0, cachedTokensTotal: 0, shedTotal: 0, memoryBytes: 0 },
        servingPaused: this.paused,
      })
    this.watchers.add(send)
    const timer = setInterval(send, 1000)
    call.on('cancelled', () => {
      clearInterval(timer)
      this.watchers.delete(send)
    })
    send()
  }
}

/** An error as a node sends it. */
export function refusal(code: string, grpc: number, message: string, field?: string): Error {
  const metadata = new Metadata()
  metadata.set('heddle-code', code)
  if (field !== undefined) metadata.set('heddle-field', field)
  return Object.assign(new Error(message), { code: grpc, details: message, metadata })
}

const delta: messages.Delta = { index: 0, text: '', reasoning: '', toolCalls: [], tokenIds: [], logprobs: [] }

/** Events of one answer. */
export const events = {
  started: (promptTokens = 3): Partial<messages.GenerateEvent> => ({
    started: {
      promptTokens,
      cachedTokens: 1,
      promptTokenIds: [1, 2, 3],
      queueMs: 0,
      role: 'assistant',
      promptText: '',
      vocabulary: '',
    },
  }),
  delta: (more: Partial<messages.Delta>): Partial<messages.GenerateEvent> => ({
    delta: { ...delta, ...more },
  }),
  done: (completionTokens: number, promptTokens = 3): Partial<messages.GenerateEvent> => ({
    done: {
      usage: { promptTokens, completionTokens, cachedTokens: 1, reasoningTokens: 0 },
      promptLogprobs: [],
      firstTokenMs: 1,
      totalMs: 2,
    },
  }),
  error: (code: string, grpc: number, message: string): Partial<messages.GenerateEvent> => ({
    error: { code, status: grpc, message, retriable: false, field: '' },
  }),
}

/** The words of the last message, one token each; as many choices as asked for. */
function sayWords(call: ScriptedCall): void {
  const asked = JSON.parse(call.request.chat?.messagesJson ?? '[]') as { content?: string }[]
  const words = String(asked.at(-1)?.content ?? '').split(/(?<= )/)
  const choices = call.request.sampling?.n || 1
  call.write(events.started())
  for (const [i, text] of words.entries()) {
    const last = i === words.length - 1
    for (let index = 0; index < choices; index++) {
      const logprobs = call.request.reporting?.logprobs ? [logprob(text, i)] : []
      call.write(
        events.delta({ index, text, tokenIds: [i], logprobs, ...(last && { finish: { reason: 'stop' } }) }),
      )
    }
  }
  call.write(events.done(words.length * choices))
  call.end()
}

/** Vectors of three numbers, or fewer: how long a text is, how many tokens there are, and the input's place. */
function countCharacters(call: Parameters<EmbedScript>[0]): void {
  const { inputs, dimensions = 3 } = call.request
  const of = ({ text, tokens }: messages.EmbedInput) => [text?.text.length ?? 0, tokens?.tokenIds.length ?? 0]
  call.write(events.started(inputs.length))
  for (const [index, input] of inputs.entries()) {
    const values = new Float32Array([...of(input), index].slice(0, dimensions))
    call.write({ embedding: { index, values: Buffer.from(values.buffer) } })
  }
  call.write(events.done(0, inputs.length))
  call.end()
}

function logprob(token: string, tokenId: number): messages.TokenLogprob {
  return { tokenId, token, logprob: -0.5, bytes: Buffer.from(token), rank: 1, top: [] }
}

function stream<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>) {
  return { ...definition(name, ask, answer), responseStream: true }
}

function unary<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>) {
  return { ...definition(name, ask, answer), responseStream: false }
}

function definition<Q, A>(name: string, ask: Codec<Q>, answer: Codec<A>) {
  return {
    path: `/heddle.node.v1.NodeService/${name}`,
    requestStream: false,
    requestSerialize: ask.encode,
    requestDeserialize: ask.decode,
    responseSerialize: answer.encode,
    responseDeserialize: answer.decode,
  }
}
