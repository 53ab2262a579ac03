import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectors } from '../../domain/masking/detectors.js'
import { bytesOfDetected } from '../../domain/masking/testing/detected.js'
import { collect } from '../../platform/bytes/collect.js'
import { parseTree, treeText } from '../../platform/json/tree.js'
import {
  hidden,
  readShownCall,
  readShownFeedback,
  SHOWN_COLUMNS,
  shownBuckets,
  shownLines,
  withoutCredentials,
} from './shown.js'

const SECRETS = [
  `sk-${'Ab1_'.repeat(8)}`,
  `hk_${'a1B'.repeat(14)}Z`,
  `ghp_${'a1B2'.repeat(9)}`,
  `AKIA${'ABCD'.repeat(4)}`,
  `npm_${'a1B2'.repeat(9)}`,
  `eyJhbGciOiJI.eyJzdWIiOiIx.${'a1B2'.repeat(4)}`,
]
const text = fc.oneof(fc.string(), fc.constantFrom('prose, with words. And sk-short', 'https://a.b/c?d=e'))

const lineOf = (call: object) => Buffer.from(JSON.stringify(call))
const shown = (call: object) => JSON.parse(Buffer.from(readShownCall(lineOf(call)).call).toString())

describe('a call at a link', () => {
  it('has no credential, wherever one was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...SECRETS), text, text, (value, secret, before, after) => {
        const output = { deep: [value, { at: `${before} ${secret} ${after}` }] }
        const call = shown({
          id: 'a',
          inputs: { text: secret },
          attributes: { [`x-${before}`]: secret },
          output,
        })
        expect(JSON.stringify(call)).not.toContain(secret)
      }),
    )
  })

  it('is otherwise as it was, but for the fields that are not shown', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ minLength: 1 }), (value, field) => {
        const call = shown({ id: 'a', output: value, [field]: value, wb_user_id: 'u', run_id: 'r' })
        for (const name of Object.keys(call)) expect([...SHOWN_COLUMNS, 'project_id']).toContain(name)
        const was = treeText(hidden(parseTree(JSON.stringify(value))))
        if (field !== 'output') expect(JSON.stringify(call.output)).toBe(JSON.stringify(JSON.parse(was)))
      }),
    )
  })

  it('does not say whose it is', () => {
    const attributes = {
      weave: { os_name: 'here' },
      ...{
        'user.id': '1',
        user: { id: '1', plan: 'pro' },
        team: 'red',
        nested: { wb_user_id: 'x', kept: 1 },
      },
      api_key: 'short',
    }
    expect(shown({ attributes }).attributes).toEqual({
      ...{ user: { plan: 'pro' }, team: 'red', nested: { kept: 1 }, api_key: 'REDACTED' },
    })
  })

  it('names its files and the parts of objects that it has, in inputs and output alone', () => {
    const ref = 'weave:///acme/one/object/bot:x/attr/system'
    const image = (digest: string) => ({ _type: 'CustomWeaveType', files: { 'image.png': digest } })
    const line = lineOf({
      inputs: { a: image('one'), ref },
      output: image('two'),
      attributes: image('three'),
    })
    expect(readShownCall(line)).toMatchObject({ files: ['one', 'two'], refs: [ref] })
  })
})

it('a list of calls says little of each, also of those that come in pieces', async () => {
  const line = (id: string) =>
    `${JSON.stringify({ id, project_id: 'acme/one', exception: `${SECRETS[0]} ${'x'.repeat(999)}`, inputs: 1 })}\n`
  const text = Buffer.from(line('é1') + line('2'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 5 }), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      const pieces = at.slice(1).map((to, i) => text.subarray(at[i], to))
      const found = (await collect(shownLines(Readable.from(pieces)))).toString()
      const calls = found
        .trimEnd()
        .split('\n')
        .map((one) => JSON.parse(one))
      expect(calls.map(({ id, exception }) => [id, exception.length])).toEqual([
        ['é1', 200],
        ['2', 200],
      ])
      expect(found).not.toMatch(/sk-|project_id|inputs/)
    }),
  )
})

it('what people said has no addresses', () => {
  const result = [
    {
      id: '1',
      feedback_type: 'n',
      creator: 'ada@example.org',
      created_at: 't',
      payload: { note: '@bob@example.org' },
    },
    { id: '2', feedback_type: 'n', creator: 'bob', created_at: 't', payload: {}, wb_user_id: 'x' },
  ]
  expect(JSON.parse(Buffer.from(readShownFeedback(lineOf({ result }))).toString())).toEqual([
    { id: '1', feedback_type: 'n', creator: null, created_at: 't', payload: { note: '@…' } },
    { id: '2', feedback_type: 'n', creator: 'bob', created_at: 't', payload: {} },
  ])
})

it('users are told apart, but not by their names', () => {
  const bucket = (group: string | null, group_name: string | null) => ({ group, group_name, sum: 1 })
  expect(
    shownBuckets([bucket('u7', 'ada'), bucket('u9', 'bob'), bucket('u7', 'ada'), bucket(null, null)], true),
  ).toEqual([
    { group: 'user 1', sum: 1 },
    { group: 'user 2', sum: 1 },
    { group: 'user 1', sum: 1 },
    { group: null, sum: 1 },
  ])
})

it.each([
  ['Bearer abcdefghijklmnopqrst', 'Bearer REDACTED'],
  ['postgres://ada:hunter2@db/one', 'postgres://ada:REDACTED@db/one'],
  ['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----', 'REDACTED'],
  ['the task-force has a basic understanding', 'the task-force has a basic understanding'],
])('of %j stays %j', (given, left) => expect(withoutCredentials(given)).toBe(left))

it('what masking takes for a key is not shown', () => {
  fc.assert(
    fc.property(bytesOfDetected, text, (bytes, before) => {
      const given = `${before} ${bytes.toString()}`
      const keys: string[] = []
      detectors.key.find(given, (from, to) => void keys.push(given.slice(from, to)))
      const left = withoutCredentials(given)
      for (const key of keys) expect(left).not.toContain(key)
    }),
  )
})

it('long texts are looked through in time that grows with them', () => {
  for (const part of ['a:', 'a://', '-----BEGIN PRIVATE KEY-----', 'bearer ', '@a.', 'eyJaaaaaaaa.', 'sk-'])
    expect(withoutCredentials(part.repeat(200_000)).length).toBeGreaterThan(0)
}, 20_000)
