/** Where and by what a span was made, and how long the first part of its answer took. */
import { describe, expect, it } from 'vitest'
import { FIRST_TOKEN, LABELS, RESOURCE_LABELS, type TimeUnit } from '../../domain/conventions/table.js'
import { decoded, requestOf } from './testing/decoded.js'
import { attribute, encodeExport, spanWith } from './testing/messages.js'

const NAMES = [...Object.keys(LABELS), 'first_token']

/** The columns that are set. The span starts at 2026-01-01T00:00:00.000001Z. */
function columnsOf(attributes: Record<string, unknown>, resource: Record<string, unknown> = {}) {
  const ofResource = Object.entries(resource).map(([key, value]) => attribute(key, value))
  const spans = [spanWith(attributes)]
  const batch = decoded([
    requestOf(
      encodeExport({ resourceSpans: [{ resource: { attributes: ofResource }, scopeSpans: [{ spans }] }] }),
    ),
  ])
  expect(batch.results[0]!.messages).toEqual([])
  const row = batch.raw[0]!
  return Object.fromEntries(
    NAMES.flatMap((name) => (['', '0'].includes(row[name] as string) ? [] : [[name, row[name]]])),
  )
}

const sources = Object.entries(LABELS).flatMap(([name, target]) =>
  target.map(([key]) => [name, key] as const),
)

it.each(sources)('%s: %s', (name, key) => {
  expect(columnsOf({ [key]: 'x' })).toEqual({ [name]: 'x' })
  expect(columnsOf({ [key]: 3 })).toEqual({ [name]: '3' })
  expect(columnsOf({ [key]: '' })).toEqual({})
})

const SAID: Record<TimeUnit, unknown> = {
  seconds: 0.25,
  milliseconds: 250,
  moment: '2026-01-01T00:00:00.250001Z',
}

it.each(FIRST_TOKEN.map(([key, , reading]) => [key, reading!.unit!] as const))('%s in %s', (key, unit) => {
  expect(columnsOf({ [key]: SAID[unit] })).toEqual({ first_token: '250000' })
  expect(columnsOf({ [key]: String(SAID[unit]) })).toEqual({ first_token: '250000' })
})

describe('the time to the first token', () => {
  const chunk = 'gen_ai.response.time_to_first_chunk'
  const moment = 'langfuse.observation.completion_start_time'
  it.each([
    [{ [chunk]: 1 }, 1_000_000],
    [{ [chunk]: '1e-3' }, 1_000],
    [{ [chunk]: 1e9 }, 4_294_967_295],
    [{ [moment]: '"2026-01-01T00:00:01.000001Z"' }, 1_000_000],
    [{ [moment]: '2026-01-01T01:00:01.000001+01:00' }, 1_000_000],
    [{ [chunk]: 2, 'ai.response.msToFirstChunk': 5 }, 2_000_000],
  ])('%j', (attributes, micros) => expect(columnsOf(attributes)).toEqual({ first_token: String(micros) }))

  it.each([0, -1, 'soon', Number.NaN, true, [1], { a: 1 }, '0x10'])('is unknown where it is %j', (value) => {
    expect(columnsOf({ [chunk]: value })).toEqual({})
    expect(columnsOf({ [moment]: value })).toEqual({})
  })

  it('is unknown where the answer began before the call', () => {
    expect(columnsOf({ [moment]: '2025-12-31T23:59:59Z' })).toEqual({})
  })
})

describe('labels', () => {
  it('are those of the resource where the span has none', () => {
    const resource = {
      'deployment.environment.name': 'staging',
      'service.version': '1.2',
      'langfuse.release': 'r1',
    }
    expect(columnsOf({}, resource)).toEqual({ environment: 'staging', version: '1.2', release: 'r1' })
    expect(columnsOf({ 'langfuse.environment': 'production' }, resource)).toMatchObject({
      environment: 'production',
    })
    expect(columnsOf({ 'langfuse.environment': '' }, resource)).toMatchObject({ environment: 'staging' })
    expect(columnsOf({}, { 'langfuse.observation.prompt.name': 'p' })).toEqual({})
  })

  it('change with the resource', () => {
    const block = (environment?: string) => ({
      resource: {
        attributes: environment === undefined ? [] : [attribute('langfuse.environment', environment)],
      },
      scopeSpans: [{ spans: [spanWith({})] }, { spans: [spanWith({ environment: 'own' }), spanWith({})] }],
    })
    const { raw } = decoded([
      requestOf(encodeExport({ resourceSpans: [block('a'), block(), block('ö'.repeat(600))] })),
    ])
    const long = 'ö'.repeat(512)
    expect(raw.map(({ environment }) => environment)).toEqual([
      'a',
      'own',
      'a',
      '',
      'own',
      '',
      long,
      'own',
      long,
    ])
  })

  it('are cut where they are long, and none where they are no texts', () => {
    expect(columnsOf({ environment: 'é'.repeat(1000) })).toEqual({ environment: 'é'.repeat(512) })
    expect(columnsOf({ 'environment.of': 'x', version: ['1'] })).toEqual({})
  })

  it('of a prompt that Langfuse hands to the AI SDK', () => {
    const prompt = '{"name":"greet","version":4,"labels":["production"]}'
    expect(columnsOf({ 'ai.telemetry.metadata.langfusePrompt': prompt })).toEqual({
      prompt_name: 'greet',
      prompt_version: '4',
    })
  })

  it('come from the resource by the names that Langfuse and OpenTelemetry have', () => {
    for (const name of RESOURCE_LABELS)
      for (const [key] of LABELS[name]) expect(columnsOf({}, { [key]: 'x' })).toEqual({ [name]: 'x' })
  })
})
