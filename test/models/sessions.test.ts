/**
 * The same conversation through each interface, and sessions as training data: with the tokens that the model was asked
 * with and gave, and nothing tokenised again. The guide's lines are run as they stand.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import type { ChatEndpoint } from '../support/chat-server.js'
import { freshProject } from '../support/ids.js'
import { root } from '../support/root.js'
import { sharedChat } from '../support/shared-server.js'
import { until } from '../support/until.js'

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
})

async function ask<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(`${chat.url}/v1${path}`, {
    method: 'POST',
    headers: { ...chat.authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, text])
  return JSON.parse(text) as T
}

interface Tokens {
  vocabulary: string
  prompt: number[]
  completions: number[][]
}

/** Calls as they are listed, with their tokens. */
const logged = (project: string, count: number) =>
  until('its completions and their tokens to be logged', async () => {
    const found = await chat.server.api.calls(project, {
      include_token_ids: true,
      sort_by: [{ field: 'started_at' }],
    })
    return found.length >= count && found.every((call) => call.token_ids) && found
  })

describe('one conversation', () => {
  const [system, question, answer] = ['Be brief.', 'What is felt?', 'A fabric.']
  const sampling = { model: 'demo', temperature: 0, seed: 5 }
  const turns = [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
    { role: 'user', content: 'Why?' },
  ]
  const INTERFACES: Record<string, [string, object]> = {
    chat: [
      '/chat/completions',
      { messages: [{ role: 'system', content: system }, ...turns], max_completion_tokens: 6 },
    ],
    messages: ['/messages', { system, messages: turns, max_tokens: 6 }],
    responses: ['/responses', { instructions: system, input: turns, max_output_tokens: 6 }],
  }

  it('has the same tokens through each interface, and the same call but for its name', async () => {
    const project = freshProject()
    const keep = { 'x-heddle-project': project, 'x-heddle-keep-token-ids': 'true' }
    for (const [path, body] of Object.values(INTERFACES)) await ask(path, { ...sampling, ...body }, keep)
    const calls = await logged(project, 3)
    const same = calls.map(({ inputs, output, attributes, summary, token_ids, op_name }) => {
      const { interface: _, ...others } = attributes as Row
      const { id: _id, created: _created, usage: _usage, ...said } = output as Row
      const { demo } = (summary as { usage: { demo: Row } }).usage
      // The second finds the prompt's start in the cache.
      const usage = { ...demo, cache_read_input_tokens: null }
      return { inputs, said, others, usage, token_ids, op_name }
    })
    expect(same[1]).toEqual(same[0])
    expect(same[2]).toEqual(same[0])
    expect(calls.map(({ attributes }) => (attributes as Row).interface)).toEqual(Object.keys(INTERFACES))
    const { prompt, completions } = same[0]!.token_ids as unknown as Tokens
    expect(completions[0]?.length).toBeGreaterThan(0)
    // As text the same tokens go on in the same way.
    const text = { ...sampling, prompt, max_tokens: 6, return_token_ids: true }
    const { choices } = await ask<{ choices: { token_ids: number[] }[] }>('/completions', text)
    expect(choices[0]?.token_ids).toEqual(completions[0])
  })
})

describe('a session', () => {
  /** Turns as a coding agent has them: each sends all that was said. @returns the calls */
  async function session(project: string, questions: readonly string[], headers: Record<string, string>) {
    const messages: object[] = []
    for (const content of questions) {
      messages.push({ role: 'user', content })
      const asked = { model: 'demo', messages, max_tokens: 5, temperature: 0, seed: 1 }
      const { content: said } = await ask<{ content: object[] }>('/messages', asked, {
        'x-heddle-project': project,
        ...headers,
      })
      messages.push({ role: 'assistant', content: said })
    }
  }

  it('is trained on as it was: one sequence, loss on what the model gave, by the lines of the guide', async () => {
    const project = freshProject()
    const guide = readFileSync(join(root, 'docs/guides/sessions.md'), 'utf8')
    const commands = [...guide.matchAll(/^heddle (.*)$/gm)].map(([, words = '']) =>
      [...words.replaceAll('me/first', project).matchAll(/'([^']*)'|\S+/g)].map(
        ([word, quoted]) => quoted ?? word,
      ),
    )
    expect(commands.map(([name]) => name)).toEqual(['token-ids', 'train', 'train', 'chat'])
    expect(await chat.server.cli(...commands[0]!)).toContain('are kept')
    const thread = randomUUID()
    const named = { 'x-claude-code-session-id': thread }
    // Within seconds every process knows the setting.
    await until('tokens to be kept', async () => {
      await session(project, ['Hello!'], { session_id: randomUUID() })
      const calls = await chat.server.api.calls(project, { include_token_ids: true })
      return calls.some((call) => call.token_ids)
    })
    await session(project, ['What is felt?', 'And the weft?', 'Why?'], named)
    await session(project, ['Compacted.'], named)
    const calls = await until('the session to be logged', async () => {
      const filter = { thread_ids: [thread] }
      const sort_by = [{ field: 'started_at' }]
      const found = await chat.server.api.calls(project, { filter, sort_by, include_token_ids: true })
      return found.length === 4 && found.every((call) => call.token_ids) && found
    })
    const listed = await chat.server.api.calls(project, { filter: { thread_ids: [thread] } })
    expect(listed.filter((call) => 'token_ids' in call)).toEqual([])
    // What the preview shows is what is trained on.
    const source = { calls: { project_id: project, filter: { thread_ids: [thread] } }, sessions: true }
    const shown = await ask<{ examples: { tokens: { ids: number[]; trained: [number, number][] } }[] }>(
      '/preview/training-data/preview',
      { training_data: source, examples: 10 },
    )
    const given = shown.examples.flatMap(({ tokens: { ids, trained } }) =>
      trained.map(([from, to]) => ({ prompt: ids.slice(0, from), completions: [ids.slice(from, to)] })),
    )
    const kept = calls.map(({ token_ids }) => token_ids as unknown as Tokens)
    expect(given).toEqual(kept.map(({ prompt, completions }) => ({ prompt, completions })))
    expect(shown.examples.length).toBeLessThan(calls.length)
    expect(await chat.server.cli(...commands[1]!)).toContain('rows would be used')
    const trained = await chat.server.cli(...commands[2]!)
    expect(trained).toContain(`trained: artifact:///${project}/from-sessions:step1`)
    const [, newest = ''] = (await chat.server.cli('jobs', 'list')).split('\n')
    expect(await chat.server.cli('jobs', 'logs', newest.split(' ')[0]!)).not.toContain('vocabulary')
    expect(await chat.server.cli(...commands[3]!)).not.toBe('')
  })
})
