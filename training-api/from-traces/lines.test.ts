/** Many rows: what is trained on, in which order, and what hostile rows do. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JobKind } from '../../domain/training/jobs.js'
import { outcomes } from './lines.js'
import type { Outcome } from './outcome.js'
import { preview } from './preview.js'
import type { Row } from './row.js'

const reading = { template: null, reward: null, min_reward: null, keep_duplicates: false, sessions: false }
const rewarded = { ...reading, reward: { from: 'column', path: 'reward' } as const }

async function* given(values: readonly unknown[]): AsyncGenerator<Row> {
  for (const [i, value] of values.entries())
    yield { id: String(i), kind: 'row', value: value as Record<string, unknown> }
}

async function all(values: readonly unknown[], kind: JobKind, how: Parameters<typeof outcomes>[2]) {
  const found: Outcome[] = []
  for await (const outcome of outcomes(given(values), kind, how)) found.push(outcome)
  return found
}

const pair = (question: string, answer: string, more = {}) => ({ question, answer, ...more })

const lefts = (found: Outcome[]) => found.flatMap((one) => ('left' in one ? [[one.id, one.left.reason]] : []))
const linesIn = (found: Outcome[]) => found.flatMap((one) => ('line' in one ? [JSON.parse(one.line)] : []))

describe('SFT', () => {
  it('keeps the order, and each example once', async () => {
    const found = await all([pair('a', '1'), pair('b', '2'), pair('a', '1'), { x: 1 }], 'sft', reading)
    expect(
      found.map((one) => ('left' in one ? one.left.reason : JSON.parse(one.line).messages[1].content)),
    ).toEqual(['1', '2', 'duplicate', 'no_messages'])
  })

  it('keeps duplicates where they are wanted', async () => {
    const found = await all([pair('a', '1'), pair('a', '1')], 'sft', { ...reading, keep_duplicates: true })
    expect(found.filter((one) => 'line' in one)).toHaveLength(2)
  })
})

describe('what a job refuses of its callers', () => {
  it.each<JobKind>(['sft', 'rl'])('is left out, and named (%s)', async (kind) => {
    const values = [
      pair('a', '1', { reward: 1 }),
      pair('a', '\ud83d', { reward: 0 }),
      pair('a', '2', { reward: 0 }),
      {
        messages: [
          { role: 'user', content: 'a\ude00' },
          { role: 'assistant', content: '3' },
        ],
        reward: 0,
      },
    ]
    const found = await all(values, kind, rewarded)
    const left = found.flatMap((one) => ('left' in one ? [[one.id, one.left.reason, one.left.message]] : []))
    expect(left).toEqual([
      ['1', 'bad_message', expect.stringContaining('surrogate')],
      ['3', 'bad_message', expect.stringMatching(/0\]?\.content.* surrogate/)],
    ])
  })

  it('is left out of a group where its tokens are of another text', async () => {
    const call = (content: string, token: string, reward: number) => ({
      inputs: { messages: [{ role: 'user', content: 'a' }] },
      output: {
        choices: [
          {
            finish_reason: 'stop',
            message: { role: 'assistant', content },
            logprobs: { content: [{ token, logprob: -1 }] },
          },
        ],
      },
      reward,
    })
    const values = [call('yes', 'yes', 1), call('no', 'maybe', 0), call('no', 'no', 0)]
    const found = await all(values, 'rl', rewarded)
    expect(found).toMatchObject([{ id: '1', left: { reason: 'bad_message' } }, { ids: ['0', '2'] }])
  })
})

describe('RL', () => {
  it('groups answers by their prompt', async () => {
    const rows = [
      pair('a', '1', { reward: 1 }),
      pair('b', '2', { reward: 1 }),
      pair('a', '3', { reward: 0 }),
      pair('c', '4', { reward: 1 }),
      pair('c', '5', { reward: 1 }),
      pair('d', '6'),
    ]
    const found = await all(rows, 'rl', rewarded)
    const left = found.flatMap((one) => ('left' in one ? [[one.id, one.left.reason]] : []))
    expect(left).toEqual([
      ['5', 'no_reward'],
      ['1', 'single_answer'],
      ['3', 'same_rewards'],
      ['4', 'same_rewards'],
    ])
    const lines = found.flatMap((one) => ('line' in one ? [JSON.parse(one.line)] : []))
    const choice = (content: string) => ({
      finish_reason: 'stop',
      index: 0,
      logprobs: null,
      message: { role: 'assistant', content },
    })
    expect(lines).toMatchObject([
      {
        trajectories: [
          {
            messages_and_choices: [{ role: 'user', content: 'a' }, choice('1')],
            reward: 1,
            metadata: { source: '0' },
          },
          {
            messages_and_choices: [{ role: 'user', content: 'a' }, choice('3')],
            reward: 0,
            metadata: { source: '2' },
          },
        ],
        exceptions: [],
      },
    ])
  })
})

describe('DPO', () => {
  const pairOf = (asked: string, chosen: string, rejected: string) => ({
    prompt: [{ role: 'user', content: asked }],
    chosen: [{ role: 'assistant', content: chosen }],
    rejected: [{ role: 'assistant', content: rejected }],
  })

  it('pairs the best answer to a prompt with the worst, and so on, while their rewards differ', async () => {
    const rewards = { a: [1, 0, 0.5, 0.6, 0.55], b: [1, 1], c: [1] }
    const rows = Object.entries(rewards).flatMap(([asked, all]) =>
      all.map((reward, i) => pair(asked, `${asked}${i}`, { reward })),
    )
    const found = await all(rows, 'dpo', rewarded)
    expect(linesIn(found)).toEqual([pairOf('a', 'a0', 'a1'), pairOf('a', 'a3', 'a2')])
    expect(found.flatMap((one) => ('line' in one ? [one.rewards] : []))).toEqual([
      [1, 0],
      [0.6, 0.5],
    ])
    expect(lefts(found)).toEqual([
      ['4', 'no_pair'],
      ['5', 'no_pair'],
      ['6', 'no_pair'],
      ['7', 'no_pair'],
    ])
  })

  it('takes both answers of a row', async () => {
    const said = (content: string) => [{ role: 'assistant', content }]
    const rows = [
      { prompt: 'a', chosen: '1', rejected: '2' },
      { prompt: [{ role: 'user', content: 'b' }], chosen: said('3'), rejected: said('4') },
      { prompt: 'a', chosen: '1', rejected: '2' },
      { prompt: 'a', chosen: '1', rejected: '1' },
      { prompt: 'a', chosen: '1', rejected: '\ud83d' },
      { prompt: 'a', chosen: '1' },
    ]
    const found = await all(rows, 'dpo', reading)
    expect(linesIn(found)).toEqual([pairOf('a', '1', '2'), pairOf('b', '3', '4')])
    expect(lefts(found)).toEqual([
      ['2', 'duplicate'],
      ['3', 'same_answers'],
      ['4', 'bad_message'],
      ['5', 'no_pair'],
    ])
    const template = { system: null, prompt: '{q}', completion: '{new}', rejected: '{old}' }
    const edited = await all([{ q: 'c', old: '5', new: '6' }], 'dpo', { ...reading, template })
    expect(linesIn(edited)).toEqual([pairOf('c', '6', '5')])
  })
})

describe('judged answers', () => {
  const judged = (content: string, said: string, label: boolean) => ({
    prompt: [{ role: 'user', content }],
    completion: [{ role: 'assistant', content: said }],
    label,
  })

  it('are good or bad by the label of rows', async () => {
    const rows = [
      pair('a', '1', { label: true }),
      pair('a', '2', { label: false }),
      pair('a', '1', { label: true }),
      pair('a', '1', { label: false }),
      pair('b', '3'),
    ]
    const found = await all(rows, 'kto', reading)
    expect(linesIn(found)).toEqual([judged('a', '1', true), judged('a', '2', false), judged('a', '1', false)])
    expect(lefts(found)).toEqual([
      ['2', 'duplicate'],
      ['4', 'no_reward'],
    ])
  })

  it('are good from a reward on', async () => {
    const rows = [0, 0.7, 0.8].map((reward, i) => pair('a', String(i), { reward }))
    const labels = async (least: number | null) =>
      linesIn(await all(rows, 'kto', { ...rewarded, min_reward: least })).map(({ label }) => label)
    expect(await labels(null)).toEqual([false, true, true])
    expect(await labels(0.8)).toEqual([false, false, true])
  })
})

describe('a preview', () => {
  it('counts and shows', async () => {
    const rows = [
      pair('a', '1', { reward: 1 }),
      pair('a', '2', { reward: 0 }),
      pair('b', '3'),
      { x: 1, reward: 1 },
    ]
    const shown = await preview(outcomes(given(rows), 'sft', rewarded), 'sft', { most: 4, show: 1 })
    expect(shown).toEqual({
      kind: 'sft',
      examples: [
        {
          messages: [
            { role: 'user', content: 'a' },
            { role: 'assistant', content: '1' },
          ],
        },
      ],
      rows_read: 4,
      examples_found: 2,
      rows_used: 2,
      rows_left_out: 2,
      has_more: true,
      mean_reward: 0.5,
      left_out: [
        { reason: 'no_reward', message: expect.any(String), count: 1, ids: ['2'] },
        { reason: 'no_messages', message: expect.any(String), count: 1, ids: ['3'] },
      ],
    })
  })
})

describe('rows of any form', () => {
  const keys = [
    'messages',
    'inputs',
    'output',
    'role',
    'content',
    'parts',
    'type',
    'choices',
    'tool_calls',
    'text',
  ]
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('user', 'assistant', 'tool_use', 'text', 'x', '', null, 1, true),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('tree'), { maxKeys: 4 }),
    ),
  }))
  it('are left out where the type of a part is an object that is no text to anybody', async () => {
    const output = { text: { type: JSON.parse('{"toString": 1}') }, tool_calls: [] }
    const left = { reason: 'not_text' }
    expect(await all([{ messages: 'user', output }], 'sft', reading)).toMatchObject([{ left }])
  })

  it('are used or left out, and what is used can be trained on', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.constantFrom(...keys), tree), { maxLength: 5 }),
        async (rows) => {
          const found = await all(rows, 'sft', reading)
          expect(found).toHaveLength(rows.length)
          for (const one of found) {
            if ('left' in one) continue
            const { messages } = JSON.parse(one.line)
            expect(messages.at(-1).role).toBe('assistant')
            expect(messages.length).toBeGreaterThan(1)
            for (const { role, content, tool_calls: calls } of messages) {
              expect(typeof role).toBe('string')
              expect(typeof content === 'string' || (role === 'assistant' && Array.isArray(calls))).toBe(true)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('sessions', () => {
  const asked = (said: readonly string[]) =>
    said.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }))
  const call = (thread: string, said: string[], [prompt, completion]: number[][], more = {}) => ({
    ...{
      thread_id: thread,
      trace_id: 't',
      ended_at: '2026-01-01',
      inputs: { messages: asked(said.slice(0, -1)) },
    },
    output: { choices: [{ message: { role: 'assistant', content: said.at(-1) }, finish_reason: 'stop' }] },
    token_ids: { vocabulary: 'v', prompt, completions: [completion] },
    ...more,
  })
  const calls = [
    call('a', ['hi', 'yes'], [[1], [2]], { reward: 1 }),
    call('b', ['hi', 'no'], [[1], [3]], { reward: 0 }),
    // A turn of somebody else in between, and a compacted one, with which the session goes on.
    call('a', ['hi', 'yes', 'why?', 'so'], [[1, 2, 4], [5]]),
    call('a', ['sum', 'ok'], [[6], [7]], { reward: 0 }),
    { ...call('a', ['x', 'y'], [[8], [9]]), token_ids: undefined },
    { ...call('b', ['x', 'y'], [[8], [9]]), exception: 'boom' },
  ]
  async function* rows(): AsyncGenerator<Row> {
    for (const [i, value] of calls.entries()) yield { id: String(i), kind: 'call', value }
  }
  const of = async (kind: JobKind, how: Parameters<typeof outcomes>[2]) => {
    const found: Outcome[] = []
    for await (const outcome of outcomes(rows(), kind, { ...how, sessions: true })) found.push(outcome)
    return {
      lines: found.flatMap((one) => ('line' in one ? [JSON.parse(one.line)] : [])),
      left: found.flatMap((one) => ('left' in one ? [[one.id, one.left.reason]] : [])),
    }
  }
  const left = [
    ['4', 'no_token_ids'],
    ['5', 'failed'],
  ]

  it('are conversations with the tokens of their turns', async () => {
    const found = await of('sft', reading)
    expect(found.left).toEqual(left)
    expect(found.lines).toEqual([
      {
        messages: asked(['hi', 'yes', 'why?', 'so']),
        tokens: {
          vocabulary: 'v',
          ids: [1, 2, 4, 5],
          trained: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      { messages: asked(['sum', 'ok']), tokens: { vocabulary: 'v', ids: [6, 7], trained: [[1, 2]] } },
      { messages: asked(['hi', 'no']), tokens: { vocabulary: 'v', ids: [1, 3], trained: [[1, 2]] } },
    ])
  })

  it('are trajectories, compared with those that began alike, by the mean of their rewards', async () => {
    const { lines } = await of('rl', rewarded)
    expect(lines).toHaveLength(1)
    const [one, other] = lines[0].trajectories
    expect([one.reward, other.reward]).toEqual([0.5, 0])
    expect(one.tokens.ids).toEqual([1, 2, 4, 5])
    expect(one.additional_histories).toMatchObject([{ tokens: { ids: [6, 7] } }])
    // Without its tokens, the same answers are trained on.
    expect(one.messages_and_choices.map((item: object) => 'finish_reason' in item)).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('of too low a reward are left out, call by call; pairs have none', async () => {
    expect((await of('sft', { ...rewarded, min_reward: 0.5 })).left).toEqual([...left, ['1', 'low_reward']])
    for (const kind of ['dpo', 'kto'] as const)
      await expect(of(kind, reading)).rejects.toThrow('no answers to compare')
  })
})
