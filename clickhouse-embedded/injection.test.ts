/**
 * Nothing that comes as data, a parameter or a name is ever run. The engine itself runs whatever follows an
 * empty line in the data of an INSERT; a table that must survive stands in for everything that could be lost.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../test/support/rounds.js'
import { type Embedded, startEmbedded } from './start.js'

let folder: string
let engine: Embedded

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'))
  engine = await startEmbedded({ dataDir: join(folder, 'data') })
  await ask({ query: 'CREATE TABLE victim (a Int64) ENGINE = MergeTree ORDER BY a' })
  await ask({ query: 'INSERT INTO victim VALUES (1)' })
  await ask({ query: 'CREATE TABLE target (a String, b String) ENGINE = Memory' })
}, 60_000)

afterAll(async () => {
  await engine?.stop()
  rmSync(folder, { recursive: true, force: true })
})

afterEach(async () => {
  expect(await ask({ query: 'SELECT * FROM victim' })).toEqual({ status: 200, text: '1\n' })
})

async function ask(params: Record<string, string>, body?: string | Uint8Array<ArrayBuffer>) {
  const headers = { 'x-clickhouse-user': engine.username, 'x-clickhouse-key': engine.password }
  const response = await fetch(`${engine.url}/?${new URLSearchParams(params)}`, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

const count = async (): Promise<string> => (await ask({ query: 'SELECT count() FROM target' })).text.trim()

const attack = 'DROP TABLE victim'

describe('as data', () => {
  const bodies: [format: string, body: Buffer][] = [
    ['RowBinary', Buffer.concat([Buffer.from([2, 10, 10]), Buffer.from([19]), Buffer.from(`${attack}\n\n`)])],
    [
      'Native',
      Buffer.concat([
        Buffer.from([1, 1, 1]),
        Buffer.from('a'),
        Buffer.from([6]),
        Buffer.from('String'),
        Buffer.from([21]),
        Buffer.from(`\n\n${attack}\n\n`),
      ]),
    ],
    ['CSV', Buffer.from(`"x\n\n${attack};\n\n",y\n`)],
    ['CSV', Buffer.from(`x,y\n\n${attack}\n\n`)],
    ['TabSeparated', Buffer.from(`x\ty\n\n${attack}\n`)],
    ['JSONEachRow', Buffer.from(`{"a":"x"}\n\n${attack}\n\n;${attack};`)],
    ['Values', Buffer.from(`('x','y');${attack}`)],
    ['Values', Buffer.from(`('x','y')\n\n${attack}`)],
    ['Values', Buffer.from(`('x','y') -- \n;${attack}`)],
    ['LineAsString', Buffer.from(`x\n\n${attack}\n`)],
    ['RawBLOB', Buffer.from(`\n\n${attack}\n\n`)],
  ]
  test.each(bodies)('in %s: %s', async (format, body) => {
    await ask({ query: `INSERT INTO target FORMAT ${format}` }, Uint8Array.from(body))
    await ask({ query: `INSERT INTO target (a) FORMAT ${format}\n` }, Uint8Array.from(body))
    await ask({ query: `INSERT INTO target SETTINGS max_threads=1 FORMAT ${format}` }, Uint8Array.from(body))
    await ask(
      {},
      Uint8Array.from(Buffer.concat([Buffer.from(`INSERT INTO target FORMAT ${format}\n`), body])),
    )
    await ask({}, Uint8Array.from(Buffer.concat([Buffer.from(`INSERT INTO target FORMAT ${format} `), body])))
  })

  test('any row comes back as it went in', async () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom('\n\n', attack, ';', "'", '\\', '--', '/*', '"', '`', '\r\n', '\0'),
          fc.string({ unit: 'binary', maxLength: 4 }),
        ),
        { maxLength: 8 },
      )
      .map((parts) => Buffer.from(parts.join('')).toString())
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
        await ask({ query: 'TRUNCATE TABLE target' })
        const body = texts.map((b, a) => `${JSON.stringify({ a: String(a), b })}\n`).join('\n')
        expect(await ask({ query: 'INSERT INTO target FORMAT JSONEachRow' }, body)).toMatchObject({
          status: 200,
        })
        const { text: got } = await ask({ query: 'SELECT b FROM target ORDER BY a FORMAT JSONEachRow' })
        expect(
          got
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line).b),
        ).toEqual(texts)
      }),
      { numRuns: rounds(10, 20) },
    )
  })
})

describe('as the text of a query', () => {
  test.each([
    `SELECT 1; ${attack}`,
    `SELECT 1;\n\n${attack}`,
    `SELECT 1 -- ;\n; ${attack}`,
    `SELECT 1 FORMAT JSON; ${attack}`,
    `INSERT INTO target VALUES ('a', 'b'); ${attack}`,
    `INSERT INTO target VALUES ('a', 'b')\n;${attack}`,
    `INSERT INTO target SELECT 'a', 'b'; ${attack}`,
    `SET max_threads = 1; ${attack}`,
    `DROP TABLE IF EXISTS nothing; ${attack}`,
    `SELECT 1 PARALLEL WITH ${attack}`,
    `EXPLAIN INSERT INTO target VALUES ('a', 'b'); ${attack}`,
  ])('%s: one statement or none', async (sql) => {
    const before = await count()
    expect(await ask({}, sql)).toMatchObject({ status: 400, text: expect.stringContaining('Code: 62.') })
    expect(await ask({ query: sql })).toMatchObject({ status: 400 })
    expect(await ask({ query: sql.slice(0, 8) }, sql.slice(8))).toMatchObject({ status: 400 })
    expect(await count()).toBe(before)
  })

  test('any VALUES: whatever the engine makes of them, nothing after them is run', async () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '(',
      ')',
      ',',
      ';',
      '\n\n',
      '\\',
      '--',
      '/*',
      '*/',
      'x',
      `;${attack}`,
      `\n\n${attack}`,
      "('a','b')",
      '$$',
      '`',
      '#!',
      '\u2018',
      '\u2019',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        await ask({}, `INSERT INTO target VALUES ('a','b')${pieces.join('')}`)
        await ask({ query: 'INSERT INTO target VALUES' }, pieces.join(''))
        expect((await ask({ query: 'EXISTS victim' })).text).toBe('1\n')
      }),
      { numRuns: rounds(25, 60) },
    )
  })
})

describe('as a parameter or a name', () => {
  const hostile = [
    `x'; ${attack}; --`,
    `\n\n${attack}\n\n`,
    `\\'; ${attack}`,
    `x', param_b='; ${attack}`,
    `\0; ${attack}`,
    `1 -- \n;${attack}`,
  ]
  test.each(hostile)('%j', async (text) => {
    expect(
      (
        await ask({
          query: 'SELECT {p:String} FORMAT TSVRaw',
          param_p: text.replace('\\', '\\\\').replaceAll('\n', '\\n'),
        })
      ).status,
    ).toBe(200)
    for (const type of ['Int64', 'Array(String)', 'Map(String, String)', 'Identifier', 'DateTime']) {
      await ask({ query: `SELECT {p:${type}}`, param_p: text })
    }
    await ask({ query: 'SELECT * FROM {p:Identifier}', param_p: text })
    await ask({ query: 'SELECT 1', [`param_${text}`]: '1' })
    await ask({ query: 'SELECT 1', database: text })
    await ask({ query: 'SELECT 1', database: `default\`; ${attack}` })
    await ask({ query: 'SELECT 1', log_comment: text })
    await ask({ query: 'SELECT 1', max_threads: text })
    await ask({ query: 'SELECT 1', [text]: '1' })
    await ask({ query: 'SELECT 1', [`max_threads=1; ${attack}; SET max_threads`]: '1' })
    await ask({ query: 'SELECT 1', query_id: text })
    await ask({ query: 'SELECT 1', session_id: text })
    await ask({ query: 'SELECT 1', default_format: text })
    await ask({ query: 'INSERT INTO target', default_format: text }, "('a','b')")
    await ask({ query: `INSERT INTO target FORMAT ${text}` }, 'x')
  })

  test('another dialect, in which texts would be cut in other places', async () => {
    expect(await ask({ query: 'SELECT 1', dialect: 'kusto' })).toMatchObject({ status: 501 })
    await ask({ query: "SET dialect = 'kusto'", session_id: 's' })
    expect(await ask({ query: 'SELECT 1', session_id: 's' })).toEqual({ status: 200, text: '1\n' })
  })
})
