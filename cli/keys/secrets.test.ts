/** What the commands do in the real engine, and that no value gets out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { loadCosts, priceList } from '../data/costs.js'
import { readValue, removeSecret, secretList, secretsOf } from './secrets.js'

let service: TestService
const folder = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
beforeAll(async () => {
  service = await startService(() => [])
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

const secrets = (secretsKey: string | undefined = 'a key of enough length') =>
  secretsOf(service.store, { secretsKey })

const HOME = 'https://api.example.com/v1'

async function* bytes(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

describe('a value', () => {
  it.each([
    ['as it is', ['sk-1 2'], 'sk-1 2'],
    ['without the last line break', ['sk-', '1\n'], 'sk-1'],
    ['with those inside', ['a\nb\r\n'], 'a\nb'],
  ])('is read %s', async (_, texts, value) => expect(await readValue(bytes(...texts))).toBe(value))

  it.each<[string, (string | Uint8Array)[], string]>([
    ['nothing', [], 'no value'],
    ['a line break alone', ['\n'], 'no value'],
    ['too much', ['x'.repeat(65_536), 'x'], 'at most 65536 bytes'],
    ['what is no text', [Buffer.of(0xff, 0xfe)], 'UTF-8'],
  ])('is not %s', (_, texts, problem) => expect(readValue(bytes(...texts))).rejects.toThrow(problem))
})

describe('secrets', () => {
  it('are listed by scope and name, without their values', async () => {
    await secrets().set('acme/one', 'KEY', 'sk-secret-of-one', HOME)
    await secrets().set('acme', 'KEY', 'sk-secret-of-acme', HOME)
    await secrets().set('*', 'KEY', 'sk-secret-of-all', HOME)
    await secrets().set('*', 'OTHER', 'sk-secret-of-other', HOME)
    const { text: shown } = await secretList(secrets())
    expect(shown.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      'SCOPE NAME',
      '* KEY',
      '* OTHER',
      'acme KEY',
      'acme/one KEY',
      '',
    ])
    expect(shown).not.toContain('sk-secret')
  })

  it('are stored sealed', async () => {
    const rows = await service.store.rows(sql`SELECT * FROM secrets`)
    expect(rows).toHaveLength(4)
    expect(JSON.stringify(rows)).not.toContain('sk-secret')
  })

  it.each([
    ["the project's", 'acme/one', 'sk-secret-of-one'],
    ["the entity's", 'acme/two', 'sk-secret-of-acme'],
    ["everybody's", 'zebra/one', 'sk-secret-of-all'],
  ])('are found from the nearest scope: %s', async (_, project, value) =>
    expect(await secrets().find(project, 'KEY', HOME)).toBe(value),
  )

  it.each([
    ['another host', 'https://api.example.org/v1'],
    ['another port', 'https://api.example.com:8443/v1'],
    ['plain HTTP', 'http://api.example.com/v1'],
  ])('are not found for %s', async (_, address) => {
    const found = secrets().find('acme/one', 'KEY', address)
    await expect(found).rejects.toMatchObject({ code: 'SECRET_NOT_FOR' })
  })

  it('that are for anywhere are found for any address', async () => {
    await secrets().set('zebra', 'ANY', 'sk-any', '*')
    expect(await secrets().find('zebra/one', 'ANY', 'http://127.0.0.1:1')).toBe('sk-any')
    await removeSecret(secrets(), 'zebra', 'ANY')
  })

  it.each(['', 'api.example.com', 'ftp://example.com', 'null'])('are not set for %j', (address) =>
    expect(secrets().set('acme', 'KEY', 'x', address)).rejects.toThrow('is not an address'),
  )

  it('stand in place of what was there', async () => {
    await secrets().set('*', 'OTHER', 'changed', HOME)
    expect(await secrets().find('acme/one', 'OTHER', HOME)).toBe('changed')
    expect((await secrets().list()).filter(({ name }) => name === 'OTHER')).toHaveLength(1)
  })

  it('do not open under another key, which does not say what they are', async () => {
    await expect(secrets('another key of length').find('acme/one', 'KEY', HOME)).rejects.toThrow(
      'stored under another HEDDLE_SECRETS_KEY',
    )
  })

  it('are listed and deleted, but not set or opened, without a key', async () => {
    const keyless = secretsOf(service.store, { secretsKey: undefined })
    await expect(keyless.set('*', 'KEY', 'x', HOME)).rejects.toThrow('set HEDDLE_SECRETS_KEY')
    await expect(keyless.find('acme/one', 'KEY', HOME)).rejects.toThrow('set HEDDLE_SECRETS_KEY')
    expect((await secretList(keyless)).text).toContain('acme/one')
    await removeSecret(keyless, '*', 'OTHER')
    expect(await secrets().find('acme/one', 'OTHER', HOME)).toBeUndefined()
  })

  it('that are deleted let the next scope through', async () => {
    await removeSecret(secrets(), 'acme/one', 'KEY')
    expect(await secrets().find('acme/one', 'KEY', HOME)).toBe('sk-secret-of-acme')
    await expect(removeSecret(secrets(), 'acme/one', 'KEY')).rejects.toThrow('secret not found')
  })

  it.each([
    ['acme/one/two', 'KEY', 'is not a scope'],
    ['', 'KEY', 'is not a scope'],
    ['acme', 'a key', 'is not a secret name'],
  ])('are not set in %j under %j', (scope, name, problem) =>
    expect(secrets().set(scope, name, 'x', HOME)).rejects.toThrow(problem),
  )
})

describe('default prices', () => {
  it('that ship are loaded once', async () => {
    const list = priceList(undefined)
    const count = list.prices.length
    expect(await loadCosts(service.store, list)).toContain(
      `loaded ${count} of ${count} prices of ${list.as_of}`,
    )
    expect(await loadCosts(service.store, list)).toContain(`loaded 0 of ${count}`)
  })

  it('come from a file, too', async () => {
    const file = join(folder, 'prices.json')
    const prices = [['x', 'of a file', 1, 2, 1, 1]]
    writeFileSync(file, JSON.stringify({ ...priceList(undefined), as_of: '2099-01-01', prices }))
    expect(await loadCosts(service.store, priceList(file))).toContain('loaded 1 of 1')
  })

  it.each([
    ['what is no JSON', '{'],
    ['what is not a price list', '{"as_of":"2026-01-01"}'],
  ])('are not %s', (_, text) => {
    const file = join(folder, 'bad.json')
    writeFileSync(file, text)
    expect(() => priceList(file)).toThrow(`${file} is not a price list: `)
  })
})
