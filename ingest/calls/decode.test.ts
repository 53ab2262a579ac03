import { describe, expect, it } from 'vitest'
import { CallBlock } from '../../domain/calls/block.js'
import { stringsOf } from '../../domain/calls/block-reader.js'
import { leafHash } from '../../domain/calls/leaves.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { murmur2, murmur3 } from '../pipeline/id-hash.js'
import { decodeCalls } from './decode.js'
import { ROW } from './row-keys.js'
import { answers, batch, decode, end, item, start, T0, whole } from './testing/decoding.js'

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
    const said = {
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
    }
    expect(result.openRows).toMatchObject([said])
    const others = Object.entries(result.openRows[0]!).filter(([name]) => !(name in said))
    expect(others.filter(([, value]) => value !== '' && value !== 0)).toEqual([])
    expect(result.open).toMatchObject({ ids: ['c1'], kinds: Uint8Array.of(ROW.start) })
    const key = Buffer.from(`${projectIdOf('me/mine')}c1`)
    expect(result.open.hashes).toEqual(Uint32Array.of(murmur3(key, key.length), murmur2(key, key.length)))
  })

  it('says where and by what it was made, and when its answer began', () => {
    const rowOf = (more: Record<string, unknown>) => {
      const { wholeRows } = decode({ route: 'complete', json: { batch: [whole(more)] } })
      const names = ['environment', 'release', 'version', 'prompt_name', 'prompt_version', 'first_token']
      return Object.fromEntries(
        names.flatMap((name) => (wholeRows[0]![name] ? [[name, wholeRows[0]![name]]] : [])),
      )
    }
    expect(rowOf({ attributes: { weave: { version: '1' }, a: 'environment' } })).toEqual({})
    expect(
      rowOf({
        attributes: {
          'langfuse.environment': 'production',
          environment: 'passed over',
          service: { version: '2.1' },
          prompt: { name: 'gre\n"et', version: 3 },
          release: null,
        },
      }),
    ).toEqual({ environment: 'production', version: '2.1', prompt_name: 'gre\n"et', prompt_version: '3' })
    expect(rowOf({ summary: { time_to_first_token_ms: 12.5 }, output: { time_to_first_token: 9 } })).toEqual({
      first_token: 12_500,
    })
    expect(rowOf({ output: { time_to_first_token: 0.25 } })).toEqual({ first_token: 250_000 })
    expect(rowOf({ attributes: { 'gen_ai.response.time_to_first_chunk': 1 } })).toEqual({
      first_token: 1_000_000,
    })
    expect(
      rowOf({ output: { a: '"time_to_first_token":1' }, summary: { time_to_first_token_ms: 'soon' } }),
    ).toEqual({})
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
    const layout = calls.layout()
    const at = layout.at.get('leaves')!
    const hashes = Array.from({ length: 3 }, (_, i) => Buffer.from(layout.bytes).readUInt32LE(at + 8 + i * 4))
    expect(hashes).toEqual([
      leafHash('inputs.api_key', 'REDACTED'),
      leafHash('inputs.a.0', 'b'),
      leafHash('output', 'o'),
    ])
  })

  it('is kept whole when it is large', () => {
    const inputs = { text: 'é'.repeat(1_500_000), after: 'x' }
    expect(stored(JSON.stringify(inputs))).toBe(JSON.stringify(inputs))
    expect(stored(JSON.stringify(inputs, null, 1))).toBe(JSON.stringify(inputs))
  })

  it('is found in a body that is a part of a larger array', () => {
    const bytes = new TextEncoder().encode(`xxx${JSON.stringify({ start: start({ inputs: { a: 'é' } }) })}`)
    const open = new CallBlock('calls_open')
    const request = { route: 'start', body: bytes.subarray(3), userId: '', mayWrite: () => true } as const
    decodeCalls([request], new CallBlock('calls'), open)
    const [inputs] = stringsOf(open.layout(), 'inputs', [0])
    expect(inputs).toBe('{"a":"é"}')
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
