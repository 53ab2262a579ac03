/** The published weave SDKs with values that are files behind the scenes, and with prices of models. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { dig, type Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runNode, runPython } from '../support/program.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

describe('files, from Python', () => {
  let found: Row
  beforeAll(async () => {
    found = await runPython<Row>(server, 'weave_files', { PROJECT: freshProject() })
  })

  it.each([
    ['an image', 'image', [[7, 5], true]],
    ['bytes', 'noise', [true, 'application/octet-stream', 300_000]],
    ['bytes that lie outside the tables', 'large', true],
    ['a text', 'text', ['żółć 🧵', 'text/markdown']],
    ['nothing', 'empty', 0],
    ['a sound', 'sound', [8000, true]],
    ['a moment', 'moment', true],
    ['what ops take and give', 'op', [[7, 5], true, '5120 frames']],
    ['rows with images', 'dataset', [20, true]],
    ['the same image once more', 'again', true],
  ])('%s', (_, key, expected) => expect(found[key]).toEqual(expected))
})

describe('files, from npm', () => {
  const project = freshProject()
  let found: Row
  beforeAll(async () => {
    found = await runNode<Row>(server, 'weave-files', { PROJECT: project })
  })

  async function sha256(digest: unknown): Promise<string> {
    const file = await server.api.post('/file/content', { project_id: project, digest })
    expect(file.status).toBe(200)
    return createHash('sha256').update(file.bytes).digest('hex')
  }

  it.each([
    ['an image', 0, ['value', 'image', 'files', 'image.png']],
    ['a sound', 1, ['value', 'sound', 'files', 'audio.wav']],
  ])('%s', async (_, i, path) => expect(await sha256(dig(found, ...path))).toBe(dig(found, 'expected', i)))

  it('a text beside them', () => expect(dig(found, 'value', 'text')).toBe('żółć'))

  it('what an op takes and gives', async () => {
    const [call] = await server.api.calls(project)
    for (const image of [dig(call, 'inputs', 'arg0'), dig(call, 'output')]) {
      expect(dig(image, 'weave_type', 'type')).toBe('PIL.Image.Image')
      expect(await sha256(dig(image, 'files', 'image.png'))).toBe(dig(found, 'expected', 0))
    }
  })
})

describe('prices, from Python', () => {
  let found: Row
  beforeAll(async () => {
    found = await runPython<Row>(server, 'weave_costs', { PROJECT: freshProject() })
  })
  // 500 tokens at the full price, 400 read from the cache, 100 written to it.
  const cost = {
    prompt_tokens: 1000,
    completion_tokens: 100,
    prompt_tokens_total_cost: 250,
    completion_tokens_total_cost: 200,
    pricing_level: 'project',
  }

  it.each([
    ['without one, nothing costs anything', 'before', null],
    ['one is made', 'made', [1, 'house-model']],
    ['calls cost what it says', 'cost', cost],
    ['an older one and that of another model change nothing', 'still', true],
    ['one by its id', 'one', [1, 'house-model', 0.5, 0.25, 'house', '2020-01-01']],
    ['all', 'all', ['house-model', 'house-model', 'other-model']],
    ['those of a model', 'by_model', [1e-7]],
    ['a page', 'page', 1],
    ['by a query', 'query', ['house-model']],
    [
      'after a purge the next one holds',
      'after_purge',
      { ...cost, prompt_tokens_total_cost: 3500, completion_tokens_total_cost: 700 },
    ],
    ['purged altogether', 'left', [0, null]],
  ])('%s', (_, key, expected) => expect(found[key]).toEqual(expected))
})
