/**
 * Two stores that pass for one cluster: an HTTP address for each, behind which a statement of the cluster is done as
 * single servers can. Views over `url()` and tables of the URL engine stand for Distributed tables, which need
 * ClickHouse's own TCP protocol. It takes the sharding keys from the statements that make the tables.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StoreProcess } from './engine.js'
import { planOf } from './shard-sql.js'

interface Column {
  name: string
  type: string
  default_type: string
  default_expression: string
}

export class ShardedStore {
  private readonly spread = new Set<string>()
  private readonly servers: Server[] = []

  private constructor(private readonly stores: readonly [StoreProcess, StoreProcess]) {}

  static async start(stores: readonly [StoreProcess, StoreProcess]): Promise<ShardedStore> {
    const sharded = new ShardedStore(stores)
    for (const index of [0, 1] as const) {
      const server = createServer((request, response) => {
        sharded.answer(index, request, response).catch(() => response.destroy())
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      sharded.servers.push(server)
    }
    return sharded
  }

  /** The address of one node of the cluster. */
  url(index: 0 | 1): string {
    return `http://127.0.0.1:${(this.servers[index]!.address() as AddressInfo).port}`
  }

  close(): void {
    for (const server of this.servers) {
      server.close()
      server.closeAllConnections()
    }
  }

  private async answer(index: 0 | 1, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const asked = new URL(request.url ?? '/', 'http://front')
    if (asked.pathname === '/ping') return pass(await this.ask(index, '/ping'), response)
    const inAddress = asked.searchParams.get('query')
    const [type = ''] = [request.headers['content-type']]
    const text = inAddress ?? (type.startsWith('multipart/') ? '' : body.toString())
    // Only reads have so many parameters that they come as a form.
    const form = text === '' ? planForm(body, this.spread) : undefined
    const plan = form ? { kind: 'one' as const, text: '' } : planOf(text, this.spread)
    if (plan.kind === 'spread') {
      await this.makeSpread(plan.table, plan.local, plan.key)
      response.end()
      return
    }
    if (inAddress !== null) asked.searchParams.set('query', plan.text)
    const send = form ?? (inAddress === null ? Buffer.from(plan.text) : body)
    const targets = plan.kind === 'both' ? ([index, index === 0 ? 1 : 0] as const) : ([index] as const)
    const answers = await Promise.all(
      targets.map((target) => this.ask(target, asked.search, send, type).catch(() => undefined)),
    )
    const [own, other] = answers
    if (own === undefined) return void response.destroy()
    if (targets.length === 2 && other === undefined) return unreachable(response)
    return pass(other?.ok === false ? other : own, response)
  }

  private ask(index: 0 | 1, search: string, body?: Uint8Array, type = ''): Promise<Response> {
    const url = new URL(this.stores[index].address())
    if (body === undefined) return fetch(new URL(search, url))
    for (const [name, value] of new URLSearchParams(search)) url.searchParams.set(name, value)
    // A Distributed table gives up on a shard within a second; `url()` would ask ten times.
    url.searchParams.set('http_max_tries', '1')
    return fetch(url, {
      method: 'POST',
      body: Buffer.from(body),
      headers: type === '' ? {} : { 'content-type': type },
    })
  }

  /** `table` as what is read over both stores, and `<table>_in` as what puts a row where its key says. */
  private async makeSpread(table: string, local: string, key: string): Promise<void> {
    for (const index of [0, 1] as const) {
      const own = this.stores[index]
      const far = this.stores[index === 0 ? 1 : 0]
      const [engine = ''] = (
        await own.run(`SELECT engine FROM system.tables WHERE name = '${local}' AND database = 'default'`)
      ).split('\n')
      const columns = (await own.run(`DESCRIBE TABLE ${local} FORMAT JSONEachRow`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Column)
      const all = columns.map(({ name }) => name).join(', ')
      const given = columns.filter(({ default_type }) => default_type !== 'MATERIALIZED')
      const names = given.map(({ name }) => name).join(', ')
      const typed = (some: readonly Column[]) => some.map(({ name, type }) => `${name} ${type}`).join(', ')
      const withDefaults = given.map(({ name, type, default_expression }) =>
        default_expression === '' ? `${name} ${type}` : `${name} ${type} DEFAULT ${default_expression}`,
      )
      // Replaced rows of `calls` are told apart by who reads; of everything else the newest is asked for.
      const final = engine.startsWith('Replacing') && table !== 'calls' ? ' FINAL' : ''
      const read = far.address(`SELECT ${all} FROM ${local}${final} FORMAT Native`)
      const write = far.address(`INSERT INTO ${local} (${names}) FORMAT Native`)
      for (const name of [`${table}_here`, `${table}_there`, table])
        await own.run(`DROP VIEW IF EXISTS ${name}`)
      for (const name of [`${table}_in`, `${table}_far`]) await own.run(`DROP TABLE IF EXISTS ${name}`)
      await own.run(`CREATE VIEW ${table} AS SELECT ${all} FROM ${local}${final}
        UNION ALL SELECT ${all} FROM url(${literal(read)}, Native, ${literal(typed(columns))})`)
      await own.run(`CREATE TABLE ${table}_in (${withDefaults.join(', ')}) ENGINE = Null`)
      await own.run(`CREATE TABLE ${table}_far (${typed(given)}) ENGINE = URL(${literal(write)}, Native)`)
      const rows = (shard: number) => `SELECT ${names} FROM ${table}_in WHERE (${key}) % 2 = ${shard}`
      await own.run(`CREATE MATERIALIZED VIEW ${table}_there TO ${table}_far AS ${rows(1 - index)}`)
      await own.run(`CREATE MATERIALIZED VIEW ${table}_here TO ${local} AS ${rows(index)}`)
    }
    this.spread.add(table)
  }
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A form with the statement in it changed. */
function planForm(body: Buffer, spread: ReadonlySet<string>): Buffer {
  const text = body.toString('latin1')
  const [all, head = '', query = ''] =
    /(name="query"\r\n(?:[^\r\n]+\r\n)*\r\n)([\s\S]*?)(?=\r\n--)/.exec(text) ?? []
  if (all === undefined) return body
  const plan = planOf(query, spread)
  if (plan.kind !== 'one') throw new Error(`a form holds ${query.slice(0, 100)}`)
  return Buffer.from(
    text.replace(all, () => head + plan.text),
    'latin1',
  )
}

/** What ClickHouse says where a shard that a Distributed table needs is away. */
function unreachable(response: ServerResponse): void {
  response.writeHead(500, { 'x-clickhouse-exception-code': '279' })
  response.end('Code: 279. DB::Exception: All connection tries failed. (ALL_CONNECTION_TRIES_FAILED)\n')
}

async function pass(answer: Response, response: ServerResponse): Promise<void> {
  if (!answer.ok) {
    const text = await answer.text()
    if (/Connection refused|ConnectionRefused|Connection reset/i.test(text)) return unreachable(response)
    const code = answer.headers.get('x-clickhouse-exception-code')
    response.writeHead(answer.status, code === null ? {} : { 'x-clickhouse-exception-code': code })
    response.end(text)
    return
  }
  const tag = answer.headers.get('x-clickhouse-exception-tag')
  response.writeHead(answer.status, tag === null ? {} : { 'x-clickhouse-exception-tag': tag })
  for await (const chunk of answer.body ?? []) response.write(chunk)
  response.end()
}
