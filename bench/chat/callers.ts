/**
 * Requests the same completion from the node over gRPC, and from each interface of the service over HTTP. Each caller
 * sends the next request when it has its answer. Times are the caller's.
 */
import { Client, credentials } from '@grpc/grpc-js'
import { Agent, request } from 'undici'
import { generateEvent, generateRequest } from '../../proto/heddle/node/v1/messages.js'

/** ms */
export interface Times {
  first: number
  whole: number
}

export type Ask = () => Promise<Times>

const TOKENS = 16
const messages = [{ role: 'user', content: 'What is the capital of France?' }]

/** Streamed from the node. */
export function direct(address: string): { ask: Ask; close: () => void } {
  const client = new Client(address, credentials.createInsecure())
  let counter = 0
  const ask = async () => {
    const began = performance.now()
    let first = 0
    const call = client.makeServerStreamRequest(
      '/heddle.node.v1.NodeService/Generate',
      generateRequest.encode,
      generateEvent.decode,
      {
        requestId: `bench-${counter++}`,
        chat: { messagesJson: JSON.stringify(messages) },
        sampling: { temperature: 0 },
        stopping: { maxTokens: String(TOKENS), ignoreEos: true },
        stream: true,
      },
    )
    for await (const event of call)
      if (first === 0 && event.event === 'delta') first = performance.now() - began
    return { first, whole: performance.now() - began }
  }
  return { ask, close: () => client.close() }
}

/** How an interface of the service is asked for the same, and what of its stream has a token and is its end. */
const INTERFACES = {
  chat: {
    path: '/v1/chat/completions',
    body: { messages, max_tokens: TOKENS },
    token: '"delta"',
    end: '[DONE]',
  },
  messages: {
    path: '/v1/messages',
    body: { messages, model: 'demo', max_tokens: TOKENS },
    token: 'content_block_delta',
    end: 'message_stop',
  },
  responses: {
    path: '/v1/responses',
    body: { input: messages, model: 'demo', max_output_tokens: TOKENS, store: false },
    token: 'output_text.delta',
    end: 'response.incomplete',
  },
} as const

export type Interface = keyof typeof INTERFACES

/** Streamed from the service. */
export function service(url: string, key: string, name: Interface = 'chat'): { ask: Ask; close: () => void } {
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const { path, token, end, ...form } = INTERFACES[name]
  const body = JSON.stringify({ ...form.body, temperature: 0, ignore_eos: true, stream: true })
  const ask = async () => {
    const began = performance.now()
    let first = 0
    const answer = await request(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      dispatcher: agent,
    })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`)
    let last = ''
    for await (const chunk of answer.body) {
      last = String(chunk)
      if (first === 0 && last.includes(token)) first = performance.now() - began
    }
    if (!last.includes(end)) throw new Error(`no end: ${last}`)
    return { first, whole: performance.now() - began }
  }
  return { ask, close: () => void agent.close() }
}

/** `callers` of them at once for `seconds`. */
export async function loop(ask: Ask, callers: number, seconds: number): Promise<Times[]> {
  const times: Times[] = []
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) times.push(await ask())
    }),
  )
  return times
}
