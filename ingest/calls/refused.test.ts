import { describe, expect, it } from 'vitest'
import { HeddleError } from '../../platform/errors/error.js'
import { BATCH_LIMIT } from './half-pool.js'
import type { CallsRoute } from './read.js'
import { batch, decode, end, problems, start, whole } from './testing/decoding.js'

describe('what is refused', () => {
  it.each<[string, CallsRoute, unknown, unknown]>([
    [
      'no JSON',
      'start',
      '{"start":',
      [400, "The body can't be read: the text ends where a value is expected at byte 9."],
    ],
    [
      'an empty body',
      'end',
      '',
      [400, "The body can't be read: the text ends where a value is expected at byte 0."],
    ],
    [
      'more after it',
      'end',
      '{} {}',
      [400, "The body can't be read: there is more text after the JSON value at byte 3."],
    ],
    ['a list', 'start', [], [422, 'body: dict_type']],
    ['no start', 'start', {}, [422, 'body.start: missing']],
    ['a start that is none', 'start', { start: [] }, [422, 'body.start: dict_type']],
    ['no batch', 'complete', {}, [422, 'body.batch: missing']],
    ['a batch that is none', 'upsert_batch', { batch: {} }, [422, 'body.batch: list_type']],
    [
      'an empty start',
      'start',
      { start: {} },
      [
        422,
        ...['project_id', 'op_name', 'started_at', 'attributes', 'inputs'].map(
          (name) => `body.start.${name}: missing`,
        ),
      ],
    ],
    [
      'a bad project',
      'start',
      { start: start({ project_id: 'mine' }) },
      [422, 'body.start.project_id: project_id'],
    ],
    [
      'a null project',
      'start',
      { start: start({ project_id: null }) },
      [422, 'body.start.project_id: project_id'],
    ],
    ['an empty id', 'start', { start: start({ id: '' }) }, [422, 'body.start.id: string_id']],
    ['a number as id', 'start', { start: start({ id: 7 }) }, [422, 'body.start.id: string_type']],
    ['a control character', 'start', { start: start({ id: 'a\u0000' }) }, [422, 'body.start.id: string_id']],
    [
      'a long id',
      'start',
      { start: start({ trace_id: 'x'.repeat(129) }) },
      [422, 'body.start.trace_id: string_id'],
    ],
    [
      'a long name',
      'start',
      { start: start({ op_name: 'x'.repeat(129) }) },
      [422, 'body.start.op_name: op_name'],
    ],
    [
      'a ref of no op',
      'start',
      { start: start({ op_name: 'weave:///a/b/object/c:d' }) },
      [422, 'body.start.op_name: op_name'],
    ],
    [
      'a long title',
      'start',
      { start: start({ display_name: 'é'.repeat(1025) }) },
      [422, 'body.start.display_name: string_too_long'],
    ],
    [
      'inputs that are a list',
      'start',
      { start: start({ inputs: [] }) },
      [422, 'body.start.inputs: dict_type'],
    ],
    [
      'inputs that are null',
      'start',
      { start: start({ inputs: null }) },
      [422, 'body.start.inputs: dict_type'],
    ],
    [
      'a dump that is text',
      'start',
      { start: start({ otel_dump: 'x' }) },
      [422, 'body.start.otel_dump: dict_type'],
    ],
    [
      'no time',
      'start',
      { start: start({ started_at: 'now' }) },
      [422, 'body.start.started_at: datetime_type'],
    ],
    [
      'a time as number',
      'start',
      { start: start({ started_at: 5 }) },
      [422, 'body.start.started_at: datetime_type'],
    ],
    [
      'a time out of range',
      'end',
      { end: end({ ended_at: '1970-01-01' }) },
      [422, 'body.end.ended_at: datetime_type'],
    ],
    [
      'half a step',
      'start',
      { start: start({ wb_run_step: 0.5 }) },
      [422, 'body.start.platform_run_step: int_type'],
    ],
    ['text as flag', 'end', { end: end({ is_eval: 'true' }) }, [422, 'body.end.is_eval: bool_type']],
    ['a summary list', 'end', { end: end({ summary: [] }) }, [422, 'body.end.summary: dict_type']],
    [
      'a bad summary',
      'end',
      {
        end: end({
          summary: { usage: { m: { input_tokens: 'x' }, n: 1 }, status_counts: { ok: 1, error: null } },
        }),
      },
      [
        422,
        'body.end.summary.usage.m.input_tokens: int_type',
        'body.end.summary.usage.n: dict_type',
        'body.end.summary.status_counts.ok: enum',
        'body.end.summary.status_counts.error: int_type',
      ],
    ],
    ['an end without id', 'end', { end: end({ id: undefined }) }, [422, 'body.end.id: missing']],
    ['an item that is none', 'upsert_batch', { batch: [7] }, [422, 'body.batch.0: dict_type']],
    [
      'an unknown mode',
      'upsert_batch',
      { batch: [{ mode: 'x', req: {} }] },
      [422, 'body.batch.0.mode: literal_error'],
    ],
    ['no req', 'upsert_batch', { batch: [{ mode: 'end' }] }, [422, 'body.batch.0.req: missing']],
    [
      'an end called start',
      'upsert_batch',
      { batch: [{ mode: 'start', req: { end: end() } }] },
      [422, 'body.batch.0.req.start: missing'],
    ],
    [
      'one of three',
      'complete',
      { batch: [whole(), whole({ id: 'x', inputs: 1 }), whole()] },
      [422, 'body.batch.1.inputs: dict_type'],
    ],
  ])('%s', (_, route, json, expected) => {
    const result = decode({ route, json })
    expect(problems(result)).toEqual(expected)
    expect(result.wholeRows.length + result.openRows.length).toBe(0)
  })

  it('at most 20 places are named', () => {
    const json = { batch: Array.from({ length: 100 }, () => 1) }
    expect(problems(decode({ route: 'complete', json }))).toHaveLength(21)
  })

  it('a batch beyond the limit', () => {
    const json = { batch: Array.from({ length: BATCH_LIMIT + 1 }, () => 1) }
    expect(problems(decode({ route: 'complete', json }))).toEqual([
      413,
      'Request too large: send at most 20000 calls in one request.',
    ])
  })

  it('more calls than a batch may have, written over and over', () => {
    const again = `{"batch":[],${'"batch":[{}],'.repeat(BATCH_LIMIT + 1)}"batch":[]}`
    expect(problems(decode({ route: 'complete', json: again }))).toEqual([413, expect.any(String)])
  })

  it('text that nests too deep', () => {
    const deep = '['.repeat(600) + ']'.repeat(600)
    const json = JSON.stringify({ start: start() }).replace('"inputs":{}', `"inputs":{"a":${deep}}`)
    expect(problems(decode({ route: 'start', json }))).toEqual([
      400,
      expect.stringContaining('nested deeper than 512'),
    ])
  })

  it('a project that the caller may not write to, with all of its request', () => {
    const json = batch(start(), start({ id: 'c2', project_id: 'you/yours' }))
    const result = decode({ route: 'upsert_batch', json, mayWrite: (project) => project === 'me/mine' })
    expect(problems(result)).toEqual([403, 'This key has no write access to you/yours.'])
    expect(result.openRows).toEqual([])
  })

  it('a project that is not the one of the path', () => {
    const json = { batch: [whole()] }
    expect(problems(decode({ route: 'complete', json, project: 'me/mine' }))).toBe('none')
    expect(problems(decode({ route: 'complete', json, project: 'me/other' }))).toEqual([
      422,
      'body.batch.0.project_id: project_mismatch',
    ])
  })

  it('leaves its neighbours as they are', () => {
    const result = decode(
      { route: 'start', json: { start: start({ id: 'a' }) } },
      { route: 'start', json: '{"start":' },
      { route: 'upsert_batch', json: batch(end({ id: 'a' }), end({ id: 7 })) },
      { route: 'end', json: { end: end({ id: 'b' }) } },
    )
    expect(result.outcomes.map((outcome) => 'error' in outcome && outcome.error.status)).toEqual([
      false,
      400,
      422,
      false,
    ])
    expect(result.openRows).toMatchObject([{ id: 'a', ended_at: 0 }, { id: 'b' }])
    expect(result.open.requests).toEqual(Uint32Array.of(0, 3))
  })

  it('with an error of ours', () => {
    const { outcomes } = decode({ route: 'start', json: '\u0000' })
    expect('error' in outcomes[0]! && outcomes[0].error).toBeInstanceOf(HeddleError)
  })
})
