/**
 * Chat of several entities over one model node: none learns of another's prompts, what a node can't do with a request is
 * told at once, and what waits for a node that was killed is answered by the next one.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type ChatEndpoint, capital, PARIS } from '../support/chat-server.js'
import { createKey } from '../support/keys.js'
import { isAlive, signal } from '../support/processes.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

interface Answer {
  choices: { message: { content: string } }[]
  usage: { prompt_tokens_details: { cached_tokens: number } }
}

let chat: ChatEndpoint
/** keys by entity */
const keys = new Map<string, string>()

beforeAll(async () => {
  chat = await sharedChat()
  for (const entity of ['victim', 'before', 'after']) {
    const key = await createKey(chat.server, entity, 'write')
    keys.set(entity, key)
    const known = async () => (await ask(entity, { ...capital, max_tokens: 1 })).status === 200
    await until('the key to be known', known)
  }
})

function ask(entity: string, body: object): Promise<Response> {
  return chat.post(body, { headers: { authorization: `Bearer ${keys.get(entity)}` } })
}

/** How many tokens of the prompt the node had, as it tells the caller. */
async function cached(entity: string, content: string): Promise<number> {
  const body = { messages: [{ role: 'user', content }], max_tokens: 1, temperature: 0 }
  const answer = (await (await ask(entity, body)).json()) as Answer
  return answer.usage.prompt_tokens_details.cached_tokens
}

describe('a secret prompt', () => {
  const known = 'The number of the safe in the cellar of our house is '
  const secret = '7391'

  /** Guesses letter by letter, as somebody would who looks for the guess of which more is known. */
  async function probe(entity: string): Promise<number[]> {
    const counts: number[] = []
    for (let length = 1; length <= secret.length; length++)
      for (const letter of '13579')
        counts.push(await cached(entity, known + secret.slice(0, length - 1) + letter))
    return counts
  }

  it('is told to no other entity by what the node remembers, and its own profits', async () => {
    const unasked = await probe('before')
    const first = await cached('victim', known + secret)
    expect(await cached('victim', known + secret)).toBeGreaterThan(first + 10)
    expect(await probe('after')).toEqual(unasked)
  })
})

describe('what a node can not do', () => {
  const deep = `${'{"type":"array","items":'.repeat(200)}{"type":"string"}${'}'.repeat(200)}`

  it.each([
    ['a schema too deep', { structured_outputs: { json: deep } }, 'BAD_STRUCTURE'],
    [
      'a grammar too deep',
      { structured_outputs: { grammar: `start: ${'('.repeat(9999)}"a"${')'.repeat(9999)}` } },
      'BAD_STRUCTURE',
    ],
    ['a penalty that leaves no number', { repetition_penalty: 1e-300 }, 'BAD_FIELD'],
  ])('is 400 with its sentence: %s', async (_, fields, reason) => {
    for (const stream of [false, true]) {
      const answer = await ask('victim', { ...capital, ...fields, stream })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { reason, message: expect.stringMatching(/\.$/) } })
    }
  })
})

it('what waits for a node that was killed is answered by the one that is started in its place', async () => {
  const pid = chat.processOf('heddle_model_server serve')
  signal(pid, 'SIGKILL')
  await until('it to be gone', () => !isAlive(pid))
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask('victim', { ...capital, temperature: 0 })),
  )
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as Answer).choices[0]?.message.content).toBe(PARIS)
  }
})
