/**
 * Every field of a chat completion does what the interface says: for each, a request whose answer shows it, and the
 * same request without the field, whose answer doesn't. No field may be without a row.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatEndpoint } from '../support/chat-server.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'
import { answerRows } from './fields/answer-rows.js'
import { promptRows } from './fields/prompt-rows.js'
import { type Answered, type Body, type Row, type Tokens, user } from './fields/row.js'
import { samplingRows } from './fields/sampling-rows.js'
import { structureRows } from './fields/structure-rows.js'

const rows: Row[] = [...promptRows, ...samplingRows, ...structureRows, ...answerRows]
/** Whose ids rows ask for: single characters, and what the model says to `Hello!`. */
const TEXTS = ['Hello', '!', '?', ' How', ' ', ',', '{', '}', '~', '<|endoftext|>', '<|im_end|>']

/** Greedy unless told otherwise, so that answers are the same each time. */
const USUAL = { messages: user('Hello!'), temperature: 0 }

let chat: ChatEndpoint
const known = new Map<string, number>()
const token: Tokens = (text) => {
  const id = known.get(text)
  if (id === undefined)
    throw new Error(`${JSON.stringify(text)} is not among the texts whose tokens are known`)
  return id
}

beforeAll(async () => {
  chat = await sharedChat()
  for (const text of TEXTS) {
    const { body } = await ask({
      messages: user(text),
      chat_template: '{{ messages[0].content }}',
      return_token_ids: true,
    })
    const [id, ...more] = body.prompt_token_ids ?? []
    if (id === undefined || more.length > 0) throw new Error(`${JSON.stringify(text)} is not one token`)
    known.set(text, id)
  }
})

async function ask(fields: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answered> {
  const answer = await chat.post(fields, { headers: { ...chat.authorization, ...headers } })
  const contentType = answer.headers.get('content-type') ?? ''
  const text = await answer.text()
  const streamed = contentType.startsWith('text/event-stream')
  return {
    status: answer.status,
    contentType,
    body: streamed ? {} : (JSON.parse(text) as Body),
    chunks: streamed ? chunksOf(text) : [],
    logged: () => loggedAs(answer.headers.get('x-heddle-call-id'), headers['x-heddle-project']),
    again: () => ask(fields, headers),
  }
}

function chunksOf(text: string): Body[] {
  const lines = text.split('\n\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Body)
}

/** The inputs of the call that was written, which is there a moment after the answer. */
async function loggedAs(id: string | null, project: string | undefined) {
  if (id === null || project === undefined) return undefined
  return until('the call to be there', async () => {
    const { call } = await chat.server.api.ok('/call/read', { project_id: project, id })
    return (call as { inputs: Record<string, unknown> } | null)?.inputs
  })
}

function without(request: Record<string, unknown>, field: string): Record<string, unknown> {
  const [head = '', part] = field.split('.')
  const { [head]: whole, ...rest } = request
  if (part === undefined) return rest
  const { [part]: _, ...left } = whole as Record<string, unknown>
  return { ...rest, [head]: left }
}

describe('each field is obeyed', () => {
  it.each(rows.map((row) => [row.about ? `${row.field}: ${row.about}` : row.field, row] as const))(
    '%s',
    async (_, { field, request, first, headers, sees, is }) => {
      const wanted = typeof is === 'function' ? is(token) : is
      const fields = { ...USUAL, ...request(token) }
      if (first) await ask({ ...USUAL, ...first })
      const answer = await ask(fields, headers)
      expect(await sees(answer), JSON.stringify(answer.body)).toEqual(wanted)
      if (first) await ask({ ...USUAL, ...first })
      const less = await ask(without(fields, field), headers)
      expect(await sees(less), `the same is true without ${field}`).not.toEqual(wanted)
    },
  )
})

describe('the table', () => {
  it('has every field of the description, and every part of those that have parts', async () => {
    const { components } = (await (await fetch(`${chat.url}/openapi.json`)).json()) as Description
    const { ChatCompletionRequest: request, StructuredOutputs: structure } = components.schemas
    const fields = Object.keys(request!.properties)
    expect(fields).toHaveLength(55)
    const parts = Object.keys(structure!.properties).map((part) => `structured_outputs.${part}`)
    expect(parts).toHaveLength(12)
    const covered = new Set(rows.map(({ field }) => field))
    expect([...fields, ...parts].filter((field) => !covered.has(field))).toEqual([])
  })
})

interface Description {
  components: { schemas: Record<string, { properties: object }> }
}
