import { describe, expect, it } from 'vitest'
import { CallBlock } from '../../common/calls/block.js'
import { layoutOf, numberOf, stringsOf } from '../../common/calls/block-reader.js'
import { columnNames } from '../../common/calls/columns.js'
import { leafHash } from '../../common/calls/leaves.js'
import { HeddleError } from '../../common/errors/error.js'
import { projectIdOf } from '../../common/ids/project.js'
import { murmur2, murmur3 } from '../pipeline/id-hash.js'
import { type CallsRequest, type Decoded, decodeCalls } from './decode.js'
import { BATCH_LIMIT } from './half-pool.js'
import type { CallsRoute } from './read.js'
import { ROW } from './row-keys.js'

const numbers = [
  'started_at',
  'ended_at',
  'descendant_errors',
  'run_step',
  'run_step_end',
  'leaves',
  'bytes',
  'ver',
  'kind',
]
const texts = columnNames('calls').filter((name) => !numbers.includes(name))

/** The rows of an encoded block: texts, times and versions, by column. */
function rowsOf(block: CallBlock): Record<string, unknown>[] {
  const layout = layoutOf(block.encode())
  const all = Array.from({ length: layout.rows }, (_, row) => row)
  const rows: Record<string, unknown>[] = all.map((row) => ({
    started_at: numberOf(layout, 'started_at', row),
    ended_at: numberOf(layout, 'ended_at', row),
    bytes: numberOf(layout, 'bytes', row),
    ver: numberOf(layout, 'ver', row),
  }))
  for (const name of texts) {
    stringsOf(layout, name, all).forEach((value, row) => {
      rows[row]![name] = value
    })
  }
  return rows
}

interface Result extends Decoded {
  wholeRows: Record<string, unknown>[]
  openRows: Record<string, unknown>[]
}

function decode(...requests: (Partial<CallsRequest> & { route: CallsRoute; json: unknown })[]): Result {
  const calls = new CallBlock('calls')
  const open = new CallBlock('calls_open')
  const decoded = decodeCalls(
    requests.map(({ json, ...request }, i) => ({
      body: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
      userId: 'user',
      ver: 1000 + i,
      mayWrite: () => true,
      ...request,
    })),
    calls,
    open,
  )
  return { ...decoded, wholeRows: rowsOf(calls), openRows: rowsOf(open) }
}

function answers({ outcomes }: Decoded): unknown[] {
  return outcomes.map((outcome) => ('error' in outcome ? outcome.error : JSON.parse(outcome.answer)))
}

function problems({ outcomes }: Decoded): unknown {
  const [outcome] = outcomes
  if (!outcome || !('error' in outcome)) return 'none'
  const { status } = outcome.error
  const { detail, reason } = outcome.error.body() as {
    detail?: { loc: string[]; type: string }[]
    reason?: string
  }
  return detail ? [status, ...detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`)] : [status, reason]
}

const T0 = 1_767_225_600_000_000
const start = (more: object = {}) => ({
  project_id: 'me/mine',
  id: 'c1',
  trace_id: 't1',
  op_name: 'f',
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: {},
  ...more,
})
const end = (more: object = {}) => ({
  project_id: 'me/mine',
  id: 'c1',
  ended_at: '2026-01-01T00:00:01.5Z',
  summary: {},
  ...more,
})
const whole = (more: object = {}) => ({ ...start(), ...end(), ...more })
const item = (call: object) =>
  'ended_at' in call ? { mode: 'end', req: { end: call } } : { mode: 'start', req: { start: call } }
const batch = (...calls: object[]) => ({ batch: calls.map(item) })

describe('one call', () => {
  it('a start waits in calls_open', () => {
    const result = decode({
      route: 'start',
      json: {
        start: start({
          display_name: 'shown',
          parent_id: 'p',
          thread_id: 'th',
          turn_id: 'c1',
          attributes: { a: 1 },
          inputs: { x: 'y' },
          otel_dump: { o: 1 },
          wb_run_id: 'e/p/r',
          wb_user_id: 'not me',
        }),
      },
    })
    expect(answers(result)).toEqual([{ id: 'c1', trace_id: 't1' }])
    expect(result.wholeRows).toEqual([])
    expect(result.openRows).toEqual([
      {
        project_id: projectIdOf('me/mine'),
        id: 'c1',
        trace_id: 't1',
        parent_id: 'p',
        thread_id: 'th',
        turn_id: 'c1',
        op_name: 'f',
        display_name: 'shown',
        started_at: T0,
        ended_at: 0,
        exception: '',
        inputs: '{"x":"y"}',
        output: '',
        attributes: '{"a":1}',
        summary: '',
        otel_span: '{"o":1}',
        user_id: 'user',
        run_id: 'e/p/r',
        bytes: 16,
        ver: 1000,
      },
    ])
    expect(result.open).toMatchObject({ ids: ['c1'], kinds: Uint8Array.of(ROW.start) })
    const key = Buffer.from(`${projectIdOf('me/mine')}c1`)
    expect(result.open.hashes).toEqual(Uint32Array.of(murmur3(key, key.length), murmur2(key, key.length)))
  })

  it('an end waits in calls_open', () => {
    const result = decode({
      route: 'end',
      json: {
        end: end({
          trace_id: 't1',
          started_at: '2026-01-01',
          exception: 'no',
          output: [1.5],
          summary: { a: 1, weave: {} },
        }),
      },
    })
    expect(answers(result)).toEqual([{}])
    expect(result.openRows).toMatchObject([
      {
        id: 'c1',
        trace_id: 't1',
        started_at: T0,
        ended_at: T0 + 1_500_000,
        exception: 'no',
        output: '[1.5]',
        summary: '{"a":1}',
        op_name: '',
        inputs: '',
        bytes: 12,
        user_id: 'user',
      },
    ])
    expect(result.open.kinds).toEqual(Uint8Array.of(ROW.end))
  })

  it('a start without ids gets them', () => {
    const result = decode({ route: 'start', json: { start: start({ id: null, trace_id: undefined }) } })
    const [answer] = answers(result) as { id: string; trace_id: string }[]
    expect(answer!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(answer!.trace_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(result.openRows).toMatchObject([answer!])
  })

  it('a complete call is one row of calls', () => {
    const result = decode({
      route: 'complete',
      json: { batch: [whole({ output: null }), whole({ id: 'c2' })] },
    })
    expect(answers(result)).toEqual([{}])
    expect(result.openRows).toEqual([])
    expect(result.wholeRows).toMatchObject([
      { id: 'c1', started_at: T0, ended_at: T0 + 1_500_000, output: '' },
      { id: 'c2' },
    ])
    expect(result.calls.kinds).toEqual(Uint8Array.of(ROW.whole, ROW.whole))
  })
})

describe('user data', () => {
  const stored = (inputs: string) => {
    const json = JSON.stringify({ start: start() }).replace('"inputs":{}', `"inputs":${inputs}`)
    return decode({ route: 'start', json }).openRows[0]!.inputs
  }

  it.each([
    ['{"a":1.0,"b":123456789012345678901234567890}', '{"a":1.0,"b":123456789012345678901234567890}'],
    ['{ "a" :\n [ 1E5 , "x  y" ] }', '{"a":[1E5,"x  y"]}'],
    ['{"a":"\\u00e9\\/\\ud83d"}', '{"a":"\\u00e9\\/\\ufffd"}'],
    ['{"api_key":"x","n":1.0}', '{"api_key":"REDACTED","n":1.0}'],
    [
      '{"a":{"OPENAI_API_KEY" : "x"}, "b":["api_key"]}',
      '{"a":{"OPENAI_API_KEY":"REDACTED"},"b":["api_key"]}',
    ],
  ])('%s is stored as %s', (text, expected) => {
    expect(stored(text)).toBe(expected)
  })

  it('is redacted in inputs, attributes and dumps, not in outputs', () => {
    const secret = { api_key: 'x' }
    const call = whole({ inputs: secret, attributes: secret, otel_dump: secret, output: secret })
    const [row] = decode({ route: 'complete', json: { batch: [call] } }).wholeRows
    const hidden = '{"api_key":"REDACTED"}'
    expect(row).toMatchObject({
      inputs: hidden,
      attributes: hidden,
      otel_span: hidden,
      output: '{"api_key":"x"}',
    })
  })

  it('has its leaves indexed as they are stored', () => {
    const calls = new CallBlock('calls')
    const body = Buffer.from(
      JSON.stringify({ batch: [whole({ inputs: { api_key: 'x', a: ['b'] }, output: 'o' })] }),
    )
    const request = { route: 'complete', body, userId: '', mayWrite: () => true } as const
    decodeCalls([request], calls, new CallBlock('calls_open'))
    const layout = layoutOf(calls.encode())
    const at = layout.at.get('leaves')!
    const hashes = Array.from({ length: 3 }, (_, i) => Buffer.from(layout.bytes).readUInt32LE(at + 8 + i * 4))
    expect(hashes).toEqual([
      leafHash('inputs.api_key', 'REDACTED'),
      leafHash('inputs.a.0', 'b'),
      leafHash('output', 'o'),
    ])
  })

  it('loses nothing of a summary but what is derived', () => {
    const summary =
      '{ "weave" : {"status":"x"}, "usage":{"m":{"requests":1.0}}, "w\\u0065ave":1, "z": [ 1.10 ] }'
    const json = JSON.stringify({ end: end() }).replace('"summary":{}', `"summary":${summary}`)
    expect(decode({ route: 'end', json }).openRows[0]!.summary).toBe(
      '{"usage":{"m":{"requests":1.0}},"z":[1.10]}',
    )
    const only = JSON.stringify({ end: end({ summary: { weave: 1 } }) })
    expect(decode({ route: 'end', json: only }).openRows[0]!.summary).toBe('{}')
  })
})

describe('halves that meet', () => {
  it.each([
    ['start, end', batch(start(), end({ output: 1 }))],
    ['end, start', batch(end({ output: 1 }), start())],
  ])('%s: one whole row', (_, json) => {
    const result = decode({ route: 'upsert_batch', json })
    expect(result.openRows).toEqual([])
    expect(result.wholeRows).toMatchObject([
      { id: 'c1', op_name: 'f', ended_at: T0 + 1_500_000, output: '1' },
    ])
    expect(result.calls.kinds).toEqual(Uint8Array.of(ROW.pair))
  })

  it('the answer has an item each, in order', () => {
    const json = batch(
      end({ id: 'x' }),
      start({ id: 'y "', trace_id: 'é"' }),
      start({ id: 'x', trace_id: 't' }),
    )
    expect(answers(decode({ route: 'upsert_batch', json }))).toEqual([
      { res: [{}, { id: 'y "', trace_id: 'é"' }, { id: 'x', trace_id: 't' }] },
    ])
    expect(answers(decode({ route: 'upsert_batch', json: { batch: [] } }))).toEqual([{ res: [] }])
  })

  it('a later start replaces the start side alone, a later end the end side', () => {
    const json = batch(
      start({ op_name: 'old', display_name: 'gone' }),
      end({ output: 'old' }),
      start({ op_name: 'new' }),
      end({ output: 'new' }),
    )
    const result = decode({ route: 'upsert_batch', json })
    expect(result.wholeRows).toMatchObject([{ op_name: 'new', display_name: '', output: '"new"' }])
    expect(result.wholeRows.length).toBe(1)
  })

  it('a whole call replaces everything before it', () => {
    const result = decode(
      { route: 'upsert_batch', json: batch(start(), end({ output: 'old', exception: 'e' })) },
      { route: 'complete', json: { batch: [whole({ op_name: 'new' })] }, userId: 'other' },
    )
    expect(result.wholeRows).toMatchObject([
      { op_name: 'new', output: '', exception: '', user_id: 'other', ver: 1001 },
    ])
    expect(result.calls).toMatchObject({ kinds: Uint8Array.of(ROW.whole), requests: Uint32Array.of(1) })
  })

  it('requests that are committed together meet as well, and the starter is the user', () => {
    const result = decode(
      { route: 'end', json: { end: end() }, userId: 'ender' },
      { route: 'start', json: { start: start() }, userId: 'starter' },
    )
    expect(result.wholeRows).toMatchObject([{ id: 'c1', user_id: 'starter', ver: 1001 }])
    expect(answers(result)).toEqual([{}, { id: 'c1', trace_id: 't1' }])
  })

  it('only within a project', () => {
    const result = decode({ route: 'upsert_batch', json: batch(start(), end({ project_id: 'me/other' })) })
    expect(result.wholeRows).toEqual([])
    expect(result.outcomes).toMatchObject([{ calls: 2, projects: ['me/mine', 'me/other'] }])
    expect(result.openRows.map((row) => row.project_id)).toEqual(['me/mine', 'me/other'].map(projectIdOf))
    expect(result.open.kinds).toEqual(Uint8Array.of(ROW.start, ROW.end))
  })
})

describe('names', () => {
  it.each([
    ['the alias alone', { wb_run_id: 'a' }, 'a'],
    ['the canonical name alone', { platform_run_id: 'c' }, 'c'],
    ['both, alias first', { wb_run_id: 'a', platform_run_id: 'c' }, 'c'],
    ['both, alias last', { platform_run_id: 'c', wb_run_id: 'a' }, 'c'],
    ['a wrong alias that does not count', { wb_run_id: 5, platform_run_id: 'c' }, 'c'],
  ])('%s', (_, fields, expected) => {
    expect(decode({ route: 'start', json: { start: start(fields) } }).openRows).toMatchObject([
      { run_id: expected },
    ])
  })

  it('of equal keys the last wins', () => {
    const json = '{"start":{"id":"no"},"start":'.concat(
      JSON.stringify(start()).replace('{', '{"op_name":7,'),
      '}',
    )
    expect(decode({ route: 'start', json }).openRows).toMatchObject([{ id: 'c1', op_name: 'f' }])
    const twice = `{"batch":[1,2],"batch":[${JSON.stringify(whole())}]}`
    expect(decode({ route: 'complete', json: twice }).wholeRows.length).toBe(1)
  })

  it('unknown fields are ignored', () => {
    const json = { batch: [{ ...item(start({ more: [{}] })), x: 1 }], y: {} }
    expect(decode({ route: 'upsert_batch', json }).openRows.length).toBe(1)
  })
})

describe('what is refused', () => {
  it.each<[string, CallsRoute, unknown, unknown]>([
    [
      'no JSON',
      'start',
      '{"start":',
      [400, "The body can't be read: the text ends where a value should stand at byte 9."],
    ],
    [
      'an empty body',
      'end',
      '',
      [400, "The body can't be read: the text ends where a value should stand at byte 0."],
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
      'Send at most 20000 calls in one request.',
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
    expect(problems(result)).toEqual([403, 'This key may not write in you/yours.'])
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
