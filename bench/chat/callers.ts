/**
 * Requests the same completion in two ways: from the node over gRPC, and from the service over HTTP. Each caller sends
 * the next request when it has its answer. Times are the caller's.
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

/** Streamed from the service. */
export function service(url: string, key: string): { ask: Ask; close: () => void } {
  const agent = new Agent({ connections: 64, pipelining: 1 })
  const body = JSON.stringify({
    messages,
    temperature: 0,
    max_tokens: TOKENS,
    ignore_eos: true,
    stream: true,
  })
  const ask = async () => {
    const began = performance.now()
    let first = 0
    const answer = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      dispatcher: agent,
    })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${await answer.body.text()}`)
    let end = ''
    for await (const chunk of answer.body) {
      if (first === 0) first = performance.now() - began
      end = String(chunk)
    }
    if (!end.includes('[DONE]')) throw new Error(`no end: ${end}`)
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
