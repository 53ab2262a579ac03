/** What the doctor says of a real store, and of one that is not there. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../platform/clickhouse/migrate.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { startTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { loadPrices, shippedPrices } from '../../query/costs/default-prices.js'
import { secretsOf } from '../keys/secrets.js'
import { prices, storeFindings, versionSaid } from './store.js'

const KEY = 'the key of this operator'
let engine: TestEngine
let store: Store

beforeAll(async () => {
  engine = await startTestEngine()
  store = await engine.database('doctor')
})
afterAll(() => engine.stop())

async function said(secretsKey?: string): Promise<string[]> {
  const options = engine.optionsOf('doctor')
  const findings = await storeFindings({ options, what: 'it', server: true, secretsKey, checkParts: true })
  for (const { state, todo } of findings) expect(todo !== undefined).toBe(state !== 'ok')
  return findings.map(({ name, state, text }) => `${state} ${name}: ${text}`)
}

describe('a store', () => {
  it('is of the version that the chart and compose install', async () => {
    const [, version] = /ClickHouse (\d+\.\d+)/.exec((await said())[0]!)!
    for (const file of ['compose/compose.yaml', 'helm/heddle/values.yaml'])
      expect(readFileSync(new URL(`../../infra/${file}`, import.meta.url), 'utf8')).toContain(
        `clickhouse-server:${version}@`,
      )
  })

  it.each([
    ['25.8.16.1', 'fail'],
    ['25.12.1.1', 'ok'],
    ['26.3.1.1', 'ok'],
    ['', 'fail'],
  ])('of version %j: %s', (version, state) => expect(versionSaid('it', version).state).toBe(state))

  it('without tables says that migrations are pending', async () => {
    expect(await said()).toContainEqual(expect.stringMatching(/^warn tables: \d+ migrations are pending$/))
  })

  it('that is well is well, looked at as a server is', async () => {
    await migrate(store)
    expect(await said()).toContain('warn prices: no default prices')
    await loadPrices(store, shippedPrices())
    const lines = await said()
    expect(lines).toHaveLength(9)
    expect(lines[0]).toMatch(/^ok store: it, ClickHouse \d/)
    expect(lines.slice(1, 5)).toEqual([
      'ok tables: up to date',
      "warn secrets key: not set: keys of model providers can't be stored",
      expect.stringMatching(/^(ok|warn) prices: of 20\d\d-\d\d-\d\d, for \d{4} models/),
      'ok clock of the store: in step with this machine',
    ])
    expect(lines.slice(5, 7)).toEqual(['ok parts: none set aside', 'ok checksums: all parts are intact'])
    expect(lines[7]).toMatch(/disk: .* GiB are free/)
    expect(lines[8]).toBe('ok log tables: all have a TTL')
  })

  it('whose prices are old says so', async () => {
    const { as_of } = shippedPrices()
    const days = (n: number) => Date.parse(as_of) + n * 86_400_000
    expect(await prices(store, days(120))).toMatchObject({ state: 'ok' })
    expect(await prices(store, days(121))).toMatchObject({
      state: 'warn',
      todo: expect.stringContaining('heddle costs load'),
    })
  })

  it('whose secrets the key does not open says which, and never a value', async () => {
    expect(await said(KEY)).toContain('ok secrets key: set; no secrets stored yet')
    const secrets = secretsOf(store, { secretsKey: KEY })
    await secrets.set('acme', 'OPENAI', 'sk-value', 'https://api.example.com')
    expect(await said(KEY)).toContain('ok secrets key: decrypts all 1 stored keys')
    const lost = await said()
    expect(lost).toContain('fail secrets key: not set, but 1 keys of model providers are stored')
    const other = await said('the key of somebody else')
    expect(other).toContain("fail secrets key: can't decrypt OPENAI of acme")
    expect([...lost, ...other].join()).not.toContain('sk-value')
  })

  it('whose log tables grow without an end names them', async () => {
    for (const [name, ttl] of [
      ['bounded_log', 'TTL at + INTERVAL 3 DAY'],
      ['some_log', ''],
    ])
      await store.runTrusted(
        `CREATE TABLE system.${name} (at DateTime) ENGINE = MergeTree ORDER BY at ${ttl}`,
      )
    expect((await said(KEY)).at(-1)).toBe('warn log tables: no TTL on some_log, 0.00 GiB so far')
  })

  it('that is not there is one line', async () => {
    const options = { ...engine.options, url: 'http://127.0.0.1:1' }
    const findings = await storeFindings({
      options,
      what: 'it',
      server: true,
      secretsKey: undefined,
      checkParts: false,
    })
    expect(findings).toMatchObject([
      { name: 'store', state: 'fail', text: expect.stringContaining('ECONNREFUSED') },
    ])
  })
})
