import { afterEach, describe, expect, it } from 'vitest'
import type { RouteSpec } from '../http/route.js'
import {
  childSpan,
  currentSpan,
  type Span,
  spanOf,
  type Tracer,
  traceHeaders,
  traceWith,
  within,
} from './tracing.js'
import { isHeddle, isOwnPort } from './tracing-loop.js'
import { openTracing } from './tracing-sdk.js'
import { requestSpan, statementSpan } from './tracing-spans.js'

/** Of the SDK; nothing listens where it would send. */
const { tracer } = openTracing({
  url: 'http://127.0.0.1:9/v1/traces',
  name: 'x',
  version: '1',
  failed: () => undefined,
})
const begun: { name: string; parent: string | undefined; span: Span }[] = []
const kept: Tracer = {
  begin: (name, kind, attributes, parent) => {
    const span = tracer.begin(name, kind, attributes, parent)
    begun.push({ name, parent, span })
    return span
  },
}
afterEach(() => {
  traceWith(undefined)
  begun.length = 0
})

const spec = { method: 'POST', path: '/a/{b}', tag: 'x' } as RouteSpec
const PARENT = '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'

describe('without a tracer', () => {
  it('there is no span, and work runs as it would', async () => {
    expect(requestSpan(spec, new Map())).toBeUndefined()
    expect(currentSpan()).toBeUndefined()
    expect(traceHeaders()).toEqual({})
    expect(await spanOf(undefined, async () => 1)).toBe(1)
    expect(within(undefined, () => 2)).toBe(2)
  })
})

describe('a span', () => {
  it('goes along with the work, and is the parent of what is done in it', async () => {
    traceWith(kept)
    const outer = kept.begin('outer', 'internal', {})
    await spanOf(outer, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      expect(currentSpan()).toBe(outer)
      expect(traceHeaders()).toEqual({ traceparent: outer.traceparent })
      childSpan('inner', 'client', {})?.end()
    })
    expect(begun.map(({ name, parent }) => [name, parent])).toEqual([
      ['outer', undefined],
      ['inner', outer.traceparent],
    ])
    expect(begun[1]?.span.traceparent.slice(3, 35)).toBe(outer.traceparent.slice(3, 35))
    expect(currentSpan()).toBeUndefined()
  })

  it('has nothing below it that goes on after its end', async () => {
    traceWith(kept)
    const span = kept.begin('request', 'server', {})
    within(span, () => {
      span.end()
      expect(childSpan('later', 'client', {})).toBeUndefined()
    })
  })

  it('ends with the code of what was thrown, which goes on', async () => {
    traceWith(kept)
    const span = kept.begin('job', 'consumer', {})
    await expect(spanOf(span, () => Promise.reject(new TypeError('secret')))).rejects.toThrow('secret')
    expect(span.ended).toBe(true)
  })
})

describe('a request', () => {
  const traceOf = (traceparent: string) => {
    traceWith(kept)
    return requestSpan(spec, new Map([['traceparent', traceparent]]))?.traceparent ?? ''
  }

  it('goes on with the trace that its caller names', () => {
    expect(traceOf(PARENT).slice(0, 36)).toBe(PARENT.slice(0, 36))
    expect(traceOf(`01${PARENT.slice(2)}-more`).slice(3, 35)).toBe(PARENT.slice(3, 35))
    expect(traceOf(`${PARENT.slice(0, -1)}0`)).toMatch(/-00$/)
  })

  it.each([
    '',
    'x',
    PARENT.toUpperCase(),
    `ff${PARENT.slice(2)}`,
    `00-${'0'.repeat(32)}-0123456789abcdef-01`,
    `00-0123456789abcdef0123456789abcdef-${'0'.repeat(16)}-01`,
    `${PARENT}0`,
  ])('begins one of its own for %j', (traceparent) => {
    const made = traceOf(traceparent)
    expect(made).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(made.slice(3, 35)).not.toBe(PARENT.slice(3, 35))
  })

  it('has no span when it is a probe, or our own exporter’s', () => {
    traceWith(kept)
    expect(requestSpan({ ...spec, tag: 'probes' }, new Map())).toBeUndefined()
    expect(requestSpan(spec, new Map([['x-heddle-own-spans', '1']]))).toBeUndefined()
  })
})

describe('a statement', () => {
  it.each([
    ['SELECT id\nFROM calls FINAL WHERE x IN (SELECT 1 FROM other)', 'SELECT calls'],
    ['INSERT INTO `calls_open` FORMAT Native', 'INSERT calls_open'],
    ['WITH a AS (SELECT 1) SELECT 2 FROM db.a', 'WITH db.a'],
    ['ALTER TABLE objects DELETE WHERE 1', 'ALTER objects'],
    ['SELECT 1', 'SELECT'],
  ])('%j is called %s', (text, name) => {
    traceWith(kept)
    const parent = kept.begin('request', 'server', {})
    within(parent, () => statementSpan('rows', text))
    expect(begun.at(-1)?.name).toBe(name)
  })
})

describe('a collector that is away', () => {
  it('holds nobody up at the end', async () => {
    const away = openTracing({
      ...{ url: 'http://127.0.0.1:9/v1/traces', name: 'x', version: '1' },
      failed: () => undefined,
    })
    away.tracer.begin('one', 'internal', {}).end()
    await expect(away.stop()).resolves.toBeUndefined()
  })
})

describe('the guard against a loop', () => {
  it('knows this machine by any of its names, and its own ports alone', async () => {
    const at = (url: string, ...ports: number[]) => isOwnPort(new URL(url), ports)
    expect(await at('http://localhost:8080/otel', 8080)).toBe(true)
    expect(await at('http://127.3.2.1:8080', 9464, 8080)).toBe(true)
    expect(await at('http://[::1]:8080', 8080)).toBe(true)
    expect(await at('http://localhost:4318', 8080)).toBe(false)
    expect(await at('http://203.0.113.7:8080', 8080)).toBe(false)
    expect(await at('http://no-such-host.invalid:8080', 8080)).toBe(false)
  })

  it('takes nobody for Heddle who does not answer', async () => {
    expect(await isHeddle(new URL('http://127.0.0.1:9/v1/traces'))).toBe(false)
  })
})
