/** SQL over one project, in the real engine: what statements give, and that none gives another project's rows. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TABLES } from '../../platform/clickhouse/cluster.js'
import { bind, ident, quoted, sql } from '../../platform/clickhouse/sql.js'
import { HeddleError } from '../../platform/errors/error.js'
import { openParquet } from '../../platform/files/parquet-rows.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { rounds } from '../../test/support/rounds.js'
import { until } from '../../test/support/until.js'
import { loadPrices, shippedPrices } from '../costs/default-prices.js'
import { writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { Converted } from './converted.js'
import { isFunction } from './functions.js'
import { guards, ProjectSql } from './project-sql.js'
import { rewrite } from './rewrite.js'
import { sqlRoutes } from './routes.js'
import { VIEWS } from './views.js'

/** In all rows of the other project. */
const SECRET = 'SECRET'
const [mine, theirs] = ['acme/one', 'acme/two']
let service: TestService
const scratch = mkdtempSync(join(tmpdir(), 'heddle-sql-'))

beforeAll(async () => {
  service = await startService((store) =>
    sqlRoutes(new ProjectSql(store, undefined, undefined, new Converted(store, scratch))),
  )
  await fill(mine, 'mine')
  await fill(theirs, SECRET)
  // Thousands, as every installation has.
  await loadPrices(service.store, shippedPrices())
})
afterAll(async () => {
  await service?.stop()
  rmSync(scratch, { recursive: true, force: true })
})

/** Five calls of a second each, four of them ended, with messages and usage; feedback, objects and training of the same name. */
async function fill(project: string, name: string): Promise<void> {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
  await writeCalls(
    service.store,
    project,
    [0, 1, 2, 3, 4].map((i) => ({
      id: `${name}-${i}`,
      op_name: `op-${name}`,
      started_at: at(i),
      ...(i < 4 ? { ended_at: at(i + 1) } : { half: 'start' as const }),
      inputs: JSON.stringify({ messages: [{ role: 'user', content: `hello ${name}` }] }),
      output:
        i < 4
          ? JSON.stringify({
              choices: [{ message: { role: 'assistant', content: [{ type: 'text', text: `bye ${name}` }] } }],
            })
          : '',
      summary:
        i < 4
          ? JSON.stringify({
              usage: { [`model-${name}`]: { requests: 1, prompt_tokens: 10, completion_tokens: 5 } },
            })
          : '',
    })),
  )
  const project_id = projectIdOf(project)
  await service.store.insertRows('feedback', [
    { project_id, id: name, payload: '{}', feedback_type: name, created_at: '2026-01-01 00:00:00' },
  ])
  const val = JSON.stringify({ ref: `weave-trace-internal:///${project_id}/object/${name}:v1` })
  await service.store.insertRows('objects (project_id, object_id, digest, val, written_ver)', [
    { project_id, object_id: name, digest: name, val, written_ver: 1 },
  ])
  await service.store.insertRows('training_jobs', [
    { project_id, id: name, model_id: name, kind: 'sft', status: 'queued' },
  ])
  await service.store.insertRows('training_events', [
    { project_id, job_id: name, number: 1, type: 'gradient_step', data: '{}' },
  ])
  await service.store.insertRows('costs', [
    { project_id, id: name, llm_id: `model-${name}`, prompt: 1, completion: 2, created_by: name },
  ])
  await service.store.insertRows('api_keys (id, hash)', [{ id: SECRET, hash: SECRET }]).catch(() => undefined)
}

const ask = (query: string, more: object = {}) => service.post('/sql', { project_id: mine, query, ...more })
const run = async (query: string, more: object = {}) => {
  const { status, json, text } = await ask(query, more)
  expect(status, `${query}\n${text}`).toBe(200)
  return json.data
}

describe('tables', () => {
  it.each(VIEWS)('$name has its columns, and rows of the project alone', async ({ name, columns }) => {
    const { status, json, text } = await ask(`SELECT * FROM ${name}`)
    expect(status, text).toBe(200)
    const plain = (type: string) => type.replace(/^LowCardinality\((.*)\)$/, '$1')
    expect(json.meta.map((one: { name: string; type: string }) => [one.name, plain(one.type)])).toEqual(
      columns.map((one) => [one.name, one.type]),
    )
    if (!['spans', 'evaluations', 'predictions'].includes(name)) expect(json.data.length).toBeGreaterThan(0)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(projectIdOf(mine))
  })

  it.each(VIEWS)('$name says the same of some columns as of all', async ({ name, columns }) => {
    const texts = (rows: Record<string, unknown>[], names: string[]) =>
      rows.map((row) => JSON.stringify(names.map((one) => row[one]))).sort()
    const all = (await ask(`SELECT * FROM ${name}`)).json.data
    for (const parity of [0, 1]) {
      const some = columns.filter((_, i) => i % 2 === parity).map((one) => one.name)
      const { json, text } = await ask(`SELECT ${some.join(', ')} FROM ${name}`)
      expect(texts(json.data ?? [], some), text).toEqual(texts(all, some))
    }
    expect((await ask(`SELECT count() AS n FROM ${name}`)).json.data).toEqual([{ n: all.length }])
  })

  it('says what they are', async () => {
    const { json } = await service.send('GET', '/sql/tables')
    expect(json.tables.map((one: { name: string }) => one.name)).toEqual(VIEWS.map(({ name }) => name))
  })
})

describe('statements', () => {
  it.each([
    ['SELECT count() AS n, min(id) AS first FROM calls', [{ n: 5, first: 'mine-0' }]],
    [
      "SELECT c.id, s FROM calls AS c ANY LEFT JOIN (SELECT call_id, sum(total_cost) AS s FROM costs GROUP BY call_id) AS k ON c.id = k.call_id WHERE c.id IN ('mine-1', 'mine-2') ORDER BY id DESC NULLS LAST LIMIT 1 OFFSET 0",
      [{ id: 'mine-2', s: 20 }],
    ],
    [
      'WITH slow AS (SELECT * FROM calls WHERE latency_ms >= 1000) SELECT toStartOfDay(started_at) AS day, count() n FROM slow GROUP BY day ORDER BY day -- the last\n;',
      [{ day: '2026-01-01 00:00:00', n: 4 }],
    ],
    [
      'SELECT direction, role, text FROM messages ORDER BY call_id, direction LIMIT 2',
      [
        { direction: 'input', role: 'user', text: 'hello mine' },
        { direction: 'output', role: 'assistant', text: 'bye mine' },
      ],
    ],
    [
      'SELECT model, calls, prompt_tokens, total_cost FROM usage_by_hour',
      [{ model: 'model-mine', calls: 4, prompt_tokens: 40, total_cost: 80 }],
    ],
    [
      'SELECT id, row_number() OVER (PARTITION BY op_name ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS r, sum(latency_ms) OVER w AS s FROM calls WINDOW w AS (ORDER BY id) LIMIT 1 BY op_name',
      [{ id: 'mine-0', r: 1, s: 1000 }],
    ],
    [
      "SELECT CASE WHEN status = 'running' THEN 'now' ELSE 'then' END AS kind, quantiles(0.5)(latency_ms) AS q, count(DISTINCT id) AS ids, count() FILTER (WHERE id != 'mine-0') AS others FROM calls GROUP BY ALL HAVING ids = 4",
      [{ kind: 'then', q: [1000], ids: 4, others: 3 }],
    ],
    [
      "SELECT a, x FROM (SELECT id AS a, [1, 2] AS xs FROM calls) LEFT ARRAY JOIN xs AS x WHERE a NOT IN ('x') AND x IS NOT NULL ORDER BY a, x LIMIT 1",
      [{ a: 'mine-0', x: 1 }],
    ],
    [
      'SELECT count() AS n FROM (SELECT id FROM calls UNION ALL (SELECT span_id FROM spans) UNION DISTINCT SELECT DISTINCT id FROM feedback)',
      [{ n: 6 }],
    ],
    [
      'SELECT count() AS n FROM (((SELECT 1 FROM calls)) AS one, ((SELECT 2) UNION ALL (SELECT 3)) AS two)',
      [{ n: 10 }],
    ],
    ['SELECT count() AS n FROM (calls AS a JOIN calls AS b USING id)', [{ n: 5 }]],
    ['SELECT count() AS n FROM ((SELECT [1, 2] AS xs FROM calls) AS a ARRAY JOIN xs)', [{ n: 10 }]],
    [
      'FROM calls SELECT {since:DateTime} AS t, {ids:Array(String)} AS i, {n:UInt8} > 1 AS b LIMIT 1',
      [{ t: '2026-01-01 00:00:00', i: ["a'b"], b: 1 }],
    ],
    [
      "SELECT CAST(latency_ms AS Float64) / 2 AS half, latency_ms::String AS t, started_at > now() - INTERVAL 1 DAY AS new, DATE '2026-01-01' AS d, tuple(1, 2).1 AS one, map('a', 1)['a'] AS m, arrayMap(x -> -x, [1])[1] AS minus FROM calls WHERE id = 'mine-0'",
      [{ half: 500, t: '1000', new: 0, d: '2026-01-01', one: 1, m: 1, minus: -1 }],
    ],
    [
      "SELECT 'it''s \\'so\\' \\n' AS `a b`, \"id\" FROM calls AS `c c` WHERE `c c`.id = 'mine-0' /* here */",
      [{ 'a b': "it's 'so' \n", id: 'mine-0' }],
    ],
    ['SELECT value FROM objects', [{ value: '{"ref":"weave:///acme/one/object/mine:v1"}' }]],
  ])('%s', async (query, rows) => {
    expect(await run(query, { params: { since: '2026-01-01 00:00:00', ids: ["a'b"], n: 2 } })).toEqual(rows)
  })

  it('are answered in each format', async () => {
    const query = "SELECT id, latency_ms FROM calls WHERE id IN ('mine-0', 'mine-4') ORDER BY id"
    expect((await ask(query, { format: 'jsonl' })).text).toBe(
      '{"id":"mine-0","latency_ms":1000}\n{"id":"mine-4","latency_ms":null}\n',
    )
    expect((await ask(query, { format: 'csv' })).text).toBe(
      '"id","latency_ms"\n"mine-0",1000\n"mine-4",\\N\n',
    )
    expect((await ask(query, { format: 'parquet' })).text.slice(0, 4)).toBe('PAR1')
    expect((await ask(query, { format: 'arrow' })).text.slice(0, 6)).toBe('ARROW1')
    const none = await ask('SELECT id FROM calls LIMIT 0', { format: 'parquet' })
    expect(none.text.slice(0, 4)).toBe('PAR1')
  })

  it('as Parquet and Arrow may be larger than what is made in memory, and nothing is left of them', async () => {
    const rows = 60_000
    // 66 MiB. No two rows are alike, so Parquet and Arrow make little less of them.
    const query = `SELECT number, arrayStringConcat(arrayMap(i -> hex(SHA256(concat(toString(number), '-', toString(i)))), range(18))) AS text, toLowCardinality('a') AS name, CAST(NULL AS Nullable(Int64)) AS none
      FROM (SELECT arrayJoin(range(${rows})) AS number)`
    expect((await ask(query, { format: 'json' })).text).toContain('LIMIT_HIT')
    const arrow = await ask(query, { format: 'arrow' })
    expect(arrow.bytes.length).toBeGreaterThan(32 * 2 ** 20)
    expect(arrow.text.slice(-6)).toBe('ARROW1')
    const file = join(scratch, 'large')
    writeFileSync(file, (await ask(query, { format: 'parquet' })).bytes)
    const numbers = new Set<unknown>()
    const others = new Set<string>()
    for await (const { number, text, name, none } of (await openParquet(file)).read()) {
      numbers.add(number)
      others.add(`${String(text).length} ${String(name)} ${String(none)}`)
    }
    expect([numbers.size, [...others]]).toEqual([rows, ['1152 a null']])
    rmSync(file)
    expect(readdirSync(scratch)).toEqual([])
  })

  it.each([
    ['SELECT 1 FORMAT JSON', 'SQL_FORBIDDEN', /column 10: FORMAT/],
    ['SELECT id FROM calls,', 'SQL_SYNTAX', /the name of a table is missing/],
    ['SELECT id IS NOT DISTINCT FROM calls AS c FROM calls', 'SQL_FORBIDDEN', /IS DISTINCT FROM/],
    ['SELECT * FROM (calls)', 'SQL_SYNTAX', /column 21: brackets here hold a query/],
    ['SELECT 1 WHERE (SELECT * FROM (calls AS c))', 'SQL_SYNTAX', /brackets here hold a query/],
    ['SELECT 1 WHERE (SELECT * FROM ((SELECT 1) AS c))', 'SQL_SYNTAX', /brackets here hold a query/],
    ['SELECT 1 FROM ((SELECT 1) WHERE (1))', 'SQL_SYNTAX', /brackets here hold a query/],
    ['SELECT 1 FROM ((calls AS a JOIN calls AS b USING id))', 'SQL_SYNTAX', /brackets here hold a query/],
    ['SELECT 1 FROM calls AS array JOIN api_keys ON 1', 'SQL_UNKNOWN_TABLE', /api_keys/],
    ['SELECT 1 SETTINGS max_threads = 1', 'SQL_FORBIDDEN', /SETTINGS/],
    ["SELECT 1 INTO OUTFILE 'x'", 'SQL_FORBIDDEN', /INTO/],
    ['INSERT INTO calls VALUES (1)', 'SQL_FORBIDDEN', /INSERT/],
    ['EXPLAIN SELECT 1', 'SQL_FORBIDDEN', /EXPLAIN/],
    ['SELECT * FROM calls FINAL', 'SQL_FORBIDDEN', /FINAL/],
    ['SELECT any(x -> x) FROM calls', 'SQL_INVALID', /does not support lambda arguments/],
    ['SELECT * APPLY sum FROM calls', 'SQL_FORBIDDEN', /APPLY/],
    ["SELECT file('/etc/passwd')", 'SQL_FORBIDDEN', /file\(\)/],
    ['SELECT {a:Identifier}', 'SQL_FORBIDDEN', /Identifier/],
    ['SELECT id IN calls FROM calls', 'SQL_FORBIDDEN', /IN calls/],
    ['SELECT * FROM numbers(10)', 'SQL_FORBIDDEN', /numbers\(\)/],
    ['WITH calls AS (SELECT 1) SELECT * FROM calls', 'SQL_FORBIDDEN', /calls/],
    ['SELECT *\nFROM api_keys', 'SQL_UNKNOWN_TABLE', /Line 2, column 6: .*"api_keys".*calls, spans/],
    ['SELECT * FROM system.tables', 'SQL_UNKNOWN_TABLE', /system\.tables/],
    ['SELECT nope FROM calls', 'SQL_UNKNOWN_COLUMN', /"nope"; calls has id/],
    ["SELECT 'é', id FROM calls WHERE", 'SQL_SYNTAX', /Line 1, column \d+/],
    ["SELECT 'a", 'SQL_SYNTAX', /column 8: this ' is never closed/],
    ['SELECT 1; SELECT 2', 'SQL_SYNTAX', /one statement/],
    ['SELECT (1', 'SQL_SYNTAX', /bracket/],
    [`SELECT ${'('.repeat(200)}1${')'.repeat(200)}`, 'SQL_SYNTAX', /deep/],
    [`SELECT * FROM ${Array(60).fill('calls').join(', ')}`, 'SQL_SYNTAX', /at most 50 tables/],
    ['SELECT {a:String}', 'SQL_PARAM', /has no value/],
    ['SELECT sum(id) FROM calls', 'SQL_INVALID', /Illegal type String/],
    ['SELECT id, count() FROM calls', 'SQL_INVALID', /not under aggregate/],
    ["SELECT JSONMergePatch('{}', '{}')", 'SQL_FORBIDDEN', /JSONMergePatch/],
    ["SELECT printf('%9d', 1)", 'SQL_FORBIDDEN', /printf/],
    // Words of a disk that fails, and of a limit of the engine, in texts of a caller.
    ["SELECT toInt64('errno: 5')", 'SQL_INVALID', /Cannot parse/],
    ["SELECT toInt64('No space left on device')", 'SQL_INVALID', /Cannot parse/],
    ["SELECT length(extractKeyValuePairs(repeat('a:b,', 20000)))", 'SQL_INVALID', /limit of 1000/],
    ["SELECT toInt32('a')", 'SQL_INVALID', /Cannot parse string 'a' as Int32/],
    ["SELECT toIPv4('x')", 'SQL_INVALID', /Cannot parse IPv4/],
    ["SELECT CAST('[1,' AS Array(Int8))", 'SQL_INVALID', /Attempt to read after eof/],
    ["SELECT base64Decode('!!')", 'SQL_INVALID', /Invalid base64Decode value/],
    [
      'SELECT * FROM calls INTERSECT SELECT * FROM training_jobs',
      'SQL_INVALID',
      /Different number of columns/,
    ],
    ['SELECT id FROM calls PREWHERE id = 1', 'SQL_INVALID', /the engine says ILLEGAL_PREWHERE/],
  ])('%s is refused', async (query, code, reason) => {
    const { status, json, text } = await ask(query)
    expect(status, text).toBe(400)
    expect(json.code).toBe(code)
    expect(json.reason).toMatch(reason)
    expect(text).not.toContain(projectIdOf(mine))
  })

  it('end at their limits', async () => {
    const slow =
      'SELECT count() FROM calls AS a, calls AS b WHERE arraySum(arrayMap(x -> sipHash64(x, a.id, b.id), range(10000000))) = 1'
    expect((await ask(slow, { limits: { seconds: 1 } })).json.code).toMatch(/TOO_SLOW|LIMIT_HIT/)
    expect((await ask('SELECT * FROM calls', { limits: { result_rows: 2 } })).json.code).toBe('LIMIT_HIT')
    expect(
      (await ask("SELECT groupArray(repeat('x', 1000000)) FROM (SELECT arrayJoin(range(1000000)))")).json
        .code,
    ).toBe('LIMIT_HIT')
    const endless = 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r'
    expect((await ask(endless, { limits: { seconds: 5 } })).status).not.toBe(200)
  })
})

it('a statement whose caller goes is ended, and its place is free', async () => {
  const marker = `gone${process.pid}`
  const many = (n: number) => `(SELECT arrayJoin(range(${n})) AS n FROM calls)`
  const query = `SELECT sum(sipHash64(a.n, b.n)) AS ${marker} FROM ${many(1_000_000)} AS a, ${many(10_000)} AS b`
  const running = () =>
    service.store.rows(
      sql`SELECT query_id FROM system.processes WHERE position(query, ${bind.string(marker)}) > 0 AND position(query, 'system.processes') = 0`,
    )
  // More than run at a time: a place that isn't given back would stop the last of them.
  const callers = Array.from({ length: 6 }, () => new AbortController())
  const asked = callers.map(({ signal }) =>
    fetch(`${service.url}/sql`, {
      ...{ method: 'POST', signal, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ project_id: mine, query }),
    }).catch(() => 'gone'),
  )
  await until('some to run', async () => (await running()).length > 0)
  for (const caller of callers) caller.abort()
  expect(await Promise.all(asked)).toEqual(callers.map(() => 'gone'))
  await until('none to run', async () => (await running()).length === 0)
  expect(await run('SELECT 1 AS n')).toEqual([{ n: 1 }])
})

describe('another project', () => {
  const refused = (text: string, status: number) => {
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(projectIdOf(mine))
    expect(text).not.toContain(projectIdOf(theirs))
    expect([200, 400, 502, 504], text).toContain(status)
  }

  /** What would reach it, where the language were read otherwise than the engine reads it. */
  const attacks = [
    'SELECT * FROM default.calls',
    'SELECT * FROM `default.calls`',
    'SELECT * FROM `default`.`calls`',
    'SELECT * FROM "calls", "default"."calls"',
    'SELECT * FROM (((default.calls)))',
    'SELECT * FROM calls AS array JOIN default.calls AS d ON 1 = 1',
    'SELECT * FROM calls array JOIN default.calls',
    'SELECT * FROM calls a JOIN feedback b ON array JOIN system.tables',
    'SELECT * FROM calls a JOIN feedback b ON offset, system.tables',
    'SELECT * FROM calls a JOIN feedback b ON a.id limit, system.tables',
    'SELECT * FROM calls a JOIN feedback b ON a.id group, system.tables',
    'SELECT * FROM calls a JOIN feedback b ON a.id qualify, default.calls',
    'SELECT * FROM calls a JOIN feedback b ON a.id = b.id partition, default.calls',
    'SELECT is DISTINCT FROM system.tables',
    'SELECT 1 IS DISTINCT FROM system.tables',
    'SELECT * FROM calls WHERE id IN system.tables',
    'SELECT * FROM calls WHERE id IN (system.tables)',
    'SELECT * FROM calls WHERE id IN ((api_keys))',
    'SELECT * FROM calls WHERE (id, id) GLOBAL NOT IN api_keys',
    "SELECT in('x', api_keys), joinGet('api_keys', 'hash', 'x')",
    "SELECT * FROM merge('default', '.*')",
    "SELECT * FROM remote('127.0.0.1', default.calls)",
    "SELECT * FROM mergeTreeIndex('default', 'calls')",
    "SELECT `url`('http://127.0.0.1')",
    "SELECT * FROM `file`('/etc/passwd')",
    'SELECT sleep /**/ (1)',
    'SELECT sleep\n(1)',
    "SELECT extract('a' FROM system.tables)",
    'SELECT extract(SELECT x FROM system.tables)',
    'WITH x AS (SELECT * FROM api_keys) SELECT * FROM x',
    'WITH RECURSIVE api_keys AS (SELECT * FROM api_keys) SELECT * FROM api_keys',
    'WITH api_keys AS (SELECT * FROM api_keys) SELECT * FROM api_keys',
    'SELECT * FROM (WITH api_keys AS (SELECT 1) SELECT 1) AS x, api_keys',
    'SELECT * FROM calls AS api_keys, api_keys',
    "SELECT 'a\\' UNION ALL SELECT * FROM default.calls --'",
    'SELECT 1 AS `a\\` UNION ALL SELECT * FROM default.calls --`',
    "SELECT $$ ' $$ FROM default.calls -- '",
    'SELECT 1 /* /* */ UNION ALL SELECT id FROM default.calls -- */',
    'SELECT 1 --\r UNION ALL SELECT id FROM default.calls',
    'SELECT 1 \u2028 FROM\u00a0default.calls',
    'SELECT * FROM calls SETTINGS additional_table_filters = {}',
    "SELECT getSetting('additional_table_filters'), currentUser(), hostName(), version(), serverUUID()",
    'SELECT * FROM {t:Identifier}',
    'SELECT * FROM (EXPLAIN SELECT * FROM calls)',
    'SELECT * FROM viewIfPermitted(SELECT 1 ELSE null())',
    'SELECT _table, _database, _part FROM calls',
    'SELECT project_id FROM calls',
    'SELECT value_0, bytes, ver FROM calls',
    "SELECT COLUMNS('.*') FROM calls",
    'SELECT * FROM calls UNION ALL TABLE api_keys',
    'SELECT * FROM information_schema.tables',
    "SELECT dictGet('d', 'a', 1), evalMLMethod(1), catboostEvaluate('x', 1)",
  ]
  it.each(attacks)('is out of reach of %s', async (query) => {
    const { text, status } = await ask(query)
    refused(text.replaceAll(query, ''), status)
    expect(text).not.toMatch(/"(?:database|data_path|uuid)"/)
  })

  it('needs the right to read it', async () => {
    const send = (project_id: string) =>
      service.send('POST', '/sql', { project_id, query: 'SELECT 1' }, { authorization: 'Bearer one' })
    expect((await send(theirs)).status).toBe(403)
    expect((await send(mine)).status).toBe(200)
  })

  it('is out of reach of the engine itself, for any statement over our tables', async () => {
    const settings = guards(service.store.database, projectIdOf(mine))
    for (const table of TABLES) {
      const rows = await service.store.rows(sql`SELECT * FROM ${ident(table)}`, { settings })
      expect(JSON.stringify(rows), table).not.toContain(SECRET)
      expect(JSON.stringify(rows), table).not.toContain(projectIdOf(theirs))
    }
    await expect(
      service.store.rows(sql`SELECT * FROM calls SETTINGS readonly = 0`, { settings }),
    ).rejects.toThrow()
    await expect(service.store.run(sql`DELETE FROM calls WHERE 1`, { settings })).rejects.toThrow()
  })

  const views = VIEWS.map(({ name }) => name)
  const odd = fc.constantFrom(
    'api_keys',
    'default.calls',
    'system.tables',
    't',
    'u',
    'calls.id',
    '`calls`',
    '"a b"',
    'array',
    'limit',
    'offset',
    'final',
    'by',
  )
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...views, 't', 'u') },
    { weight: 1, arbitrary: odd },
  )
  const { statement } = fc.letrec<Record<'statement' | 'from' | 'value', string>>((tie) => ({
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(tie('value'), tie('from')).map(([value, from]) => `SELECT ${value} FROM ${from}`),
      tie('from').map((from) => `SELECT * FROM ${from}`),
      fc
        .tuple(
          tie('statement'),
          fc.constantFrom('UNION ALL', 'EXCEPT', 'INTERSECT', 'UNION DISTINCT'),
          tie('statement'),
        )
        .map((parts) => parts.join(' ')),
      fc
        .tuple(name, tie('statement'), tie('statement'))
        .map(([cte, inner, outer]) => `WITH ${cte} AS (${inner}) ${outer}`),
      fc
        .tuple(
          tie('statement'),
          fc.constantFrom('WHERE', 'ORDER BY', 'LIMIT', 'GROUP BY', 'WINDOW w AS', 'SETTINGS', 'FORMAT'),
          tie('value'),
        )
        .map((parts) => parts.join(' ')),
    ),
    from: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      name,
      fc.tuple(name, name).map(([table, alias]) => `${table} ${alias}`),
      tie('statement').map((inner) => `(${inner})`),
      tie('from').map((inner) => `(${inner})`),
      fc
        .tuple(
          tie('from'),
          fc.constantFrom(
            ',',
            'JOIN',
            'ARRAY JOIN',
            'AS array JOIN',
            'array JOIN',
            'LEFT JOIN',
            '/* */,',
            'CROSS JOIN',
          ),
          tie('from'),
        )
        .map((parts) => parts.join(' ')),
      fc.tuple(tie('from'), fc.constantFrom('ON', 'USING'), tie('value')).map((parts) => parts.join(' ')),
      fc.constantFrom("remote('127.0.0.1', 'default', 'calls')", "merge('.*', '.*')", "file('/etc/passwd')"),
    ),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      name,
      fc.constantFrom(
        '*',
        'count()',
        "'x'",
        "'\\''",
        "'--'",
        '1',
        'NULL',
        'toString(1)',
        '"q"',
        'id AS x',
        '-- \n 1',
        'x -> x',
      ),
      fc
        .tuple(
          tie('value'),
          fc.constantFrom(
            '=',
            ',',
            'IN',
            'AND',
            'AS',
            '.',
            '::',
            'NOT IN',
            'LIKE',
            'IS DISTINCT FROM',
            'OR NOT',
            '->',
          ),
          tie('value'),
        )
        .map((parts) => parts.join(' ')),
      tie('statement').map((inner) => `(${inner})`),
      fc
        .tuple(
          fc.constantFrom('toString', 'sleep', 'file', 'in', 'extract', 'any', 'left', 'exists'),
          tie('value'),
        )
        .map(([fn, inner]) => `${fn}(${inner})`),
    ),
  }))
  /** The same, with pieces cut out and doubled. */
  const mangled = fc
    .tuple(
      statement,
      fc.array(
        fc.tuple(
          fc.nat(200),
          fc.nat(10),
          fc.constantFrom('', '(', ')', "'", '`', ' FROM ', ' JOIN ', '/*', '--', '\\', ',', ' AS ', '\n'),
        ),
        { maxLength: 2 },
      ),
    )
    .map(([text, cuts]) =>
      cuts.reduce((all, [at, length, put]) => all.slice(0, at) + put + all.slice(at + length), text),
    )

  it('is out of reach of statements of any shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(statement, mangled), async (query) => {
        const { text, status } = await ask(query, { limits: { seconds: 5, result_rows: 1000 } })
        refused(text, status)
      }),
      { numRuns: rounds(40) },
    )
  })

  it('has no table in what the engine reads in a statement written anew', async () => {
    const stub = {
      names: views,
      select: () => sql`SELECT 'view' AS id`,
      closed: new Set<string>(),
      named: quoted,
    }
    let read = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(statement, mangled), async (query) => {
        let written: ReturnType<typeof rewrite>
        try {
          written = rewrite(query, stub, {})
        } catch (error) {
          expect(error, query).toBeInstanceOf(HeddleError)
          return
        }
        const lines = await service.store
          .rows<{ explain: string }>(sql`EXPLAIN AST ${written.statement}`)
          .catch(() => [])
        if (lines.length > 0) read++
        for (const { explain } of lines) {
          const [, kind, rest = ''] = /^ *(\w+) ?(.*)$/s.exec(explain) ?? []
          if (kind === 'Function')
            expect(
              isFunction(rest.split(' ')[0]!) ||
                /^(?:lambda|in|notIn|globalIn|isNull|isNotNull|exists)$/.test(rest.split(' ')[0]!),
              explain,
            ).toBe(true)
          if (kind === 'TableIdentifier') expect(rest, query).toMatch(/^with /)
          expect(['TableFunction', 'Set', 'ColumnsApplyTransformer']).not.toContain(kind)
        }
      }),
      { numRuns: rounds(200) },
    )
    // Most statements of such shapes are refused; the rest says something of the rewriting.
    expect(read).toBeGreaterThan(0)
  })
})

describe('the guide', () => {
  const guide = readFileSync('docs/guides/sql.md', 'utf8')
  it.each([...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text]) => text!))('%s', async (query) => {
    await run(query)
  })
})
