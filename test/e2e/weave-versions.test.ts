/** Versions of the published weave Python SDK: they name some routes otherwise, and read refs each in their own way. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runPython } from '../support/program.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const run = (name: string, place: string) =>
  runPython<Row>(server, name, { PROJECT: freshProject() }, 120, place)

it.each(['weave-0.52.17', 'weave-0.52', 'weave-0.53'])(
  '%s gets back what it stored as files',
  async (version) => {
    expect(await run('weave_files', `.venv/${version}`)).toEqual({
      image: [[7, 5], true],
      noise: [true, 'application/octet-stream', 300_000],
      large: true,
      text: ['żółć 🧵', 'text/markdown'],
      empty: 0,
      sound: [8000, true],
      moment: true,
      op: [[7, 5], true, '5120 frames'],
      dataset: [20, true],
      again: true,
    })
  },
)

describe.each(['.venv/weave-0.52.17', '.venv/weave-0.52', '.venv/weave-0.53', '.venv'])(
  'the op of a span, from %s',
  (place) => {
    it('is found by the ref of the call, and the call by the name of the op', async () => {
      expect(await run('weave_span_op', place)).toEqual({
        name: 'get__users_id',
        func_name: 'get__users_id',
        trace_name: 'get__users_id',
        op: true,
        original: 'GET /users/{id}',
        raw: 'żółć',
        by_op: 2,
        by_any_version: 2,
      })
    })
  },
)
