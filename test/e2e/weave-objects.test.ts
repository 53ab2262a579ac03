/** The published weave SDKs, Python and npm, as processes of their own: they publish, then they read back. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runNode, runPython } from '../support/program.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

describe.each(['.venv', '.venv/weave-0.52.17'])('Python, from %s', (place) => {
  const project = `${freshProject()} Größe 日本`
  let found: Record<string, unknown>
  beforeAll(async () => {
    found = await runPython(server, 'weave_objects', { PROJECT: project }, 120, place)
  })

  it.skipIf(place !== '.venv').each([
    ['tags and aliases', 'labels', [['good', 'very good'], ['prod']]],
    ['reads by alias', 'by_alias', true],
    [
      'lists of tags and aliases',
      'lists',
      [
        ['good', 'very good'],
        ['latest', 'prod'],
      ],
    ],
    ['tags taken off', 'fewer', ['very good']],
    [
      'a monitor of turns',
      'monitor',
      [true, ['weave.genai.turn_ended'], 0.5, { aggregation_field: 'thread_id', timeout_seconds: 30 }],
    ],
    [
      'a remote scorer',
      'remote_scorer',
      ['RemoteScorer', 'https://scores.example.com/v1', { threshold: 0.9 }, 'static_bearer'],
    ],
  ])('%s', (_name, key, expected) => expect(found[key]).toEqual(expected))

  it.each([
    ['values keep their numbers', 'value', true],
    ['versions', 'versions', [true, { two: 2 }]],
    [
      'a dataset of 10,000 rows',
      'dataset',
      [10_000, true, { question: 'what is 9999 + 9999?', answer: 19_998, half: 4999.5 }],
    ],
    ['a dataset with a row more', 'longer', [10_001, { question: 'new', answer: 0, half: 0 }]],
    ['a model', 'model', 42],
    ['an op', 'op', 'LOUD'],
    ['what is left after a deletion', 'after_delete', true],
    ['what was deleted', 'deleted', true],
  ])('%s', (_name, key, expected) => expect(found[key]).toEqual(expected))
})

describe('npm', () => {
  const project = `${freshProject()} Größe 日本`
  let found: Record<string, unknown>
  beforeAll(async () => {
    found = await runNode(server, 'weave-objects', { PROJECT: project })
  })

  it.each([
    ['values', 'value', { one: 1.5, text: 'żółć 🧵', list: [1, null, true] }],
    ['a dataset of 10,000 rows', 'dataset', [10_000, 9_999, 4999.5]],
    ['an op', 'op', 'LOUD'],
  ])('%s', (_name, key, expected) => expect(found[key]).toEqual(expected))
})
