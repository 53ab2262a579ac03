/** For tests alone: bodies in the format Native, and an engine with a logged table `t (id UInt64, v String)`. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../start.js'

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'embedded-log-'))
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Buffer.from([...bytes, left])
}

/** A block of rows with these ids; `v` is the text of all, or of each. */
export function block(ids: readonly number[], v: string | readonly string[] = 'v'): Buffer {
  const numbers = Buffer.alloc(ids.length * 8)
  for (const [i, id] of ids.entries()) numbers.writeBigUInt64LE(BigInt(id), i * 8)
  return Buffer.concat([
    ...[varint(2), varint(ids.length)],
    ...[text('id'), text('UInt64'), numbers],
    ...[text('v'), text('String'), ...ids.map((_, i) => text(typeof v === 'string' ? v : v[i]!))],
  ])
}

/** What the inserts here say. */
export const insertion = 'INSERT INTO t (id, v) FORMAT Native'

export class LoggedEngine {
  readonly said: string[] = []
  /** Ids of inserts that were acknowledged. */
  readonly acknowledged: number[] = []
  private next = 0
  private isAppended = false
  private engine!: Embedded

  constructor(readonly dataDir = join(newFolder(), 'data')) {}

  async start(options: Partial<EmbeddedOptions> = {}): Promise<void> {
    this.engine = await startEmbedded({
      ...{
        dataDir: this.dataDir,
        sessions: 6,
        logged: [{ table: 't', key: ['id'], readKey: 'v', newestBy: 'id' }],
      },
      logger: { info: () => {}, warn: (line) => this.said.push(line) },
      ...options,
    })
  }

  /** Makes the table, and shows the engine the statement that is to be logged. */
  async table(type = 'String'): Promise<void> {
    await this.run(`CREATE TABLE t (id UInt64, v ${type}) ENGINE = MergeTree ORDER BY id`)
    await this.insert(1, '1')
  }

  get exited(): Embedded['exited'] {
    return this.engine.exited
  }

  stop(): Promise<void> {
    return this.engine.stop()
  }

  async kill(): Promise<void> {
    process.kill(this.engine.pid, 'SIGKILL')
    await this.engine.exited
  }

  async run(sql: string, body?: Buffer, bound: Record<string, string> = {}): Promise<string> {
    return (await this.answered(sql, body, bound)).toString().trim()
  }

  /** The bytes of a result. */
  bytes(sql: string, bound: Record<string, string>): Promise<Buffer> {
    return this.answered(sql, undefined, bound)
  }

  private async answered(
    sql: string,
    body: Buffer | undefined,
    bound: Record<string, string>,
  ): Promise<Buffer> {
    const { url, username: user, password } = this.engine
    const params = new URLSearchParams({ user, password, ...(body && { query: sql }) })
    for (const [name, value] of Object.entries(bound)) params.set(`param_${name}`, value)
    const answer = await fetch(`${url}/?${params}`, { method: 'POST', body: body ?? sql })
    if (!answer.ok) throw new Error(await answer.text())
    return Buffer.from(await answer.arrayBuffer())
  }

  /** Rows of the table with one of these `v`, by a statement that says that it reads no others. */
  async countOf(...values: string[]): Promise<string> {
    const [first] = values
    if (values.length === 1)
      return this.run('SELECT count() FROM t /* only v = {v:String} */ WHERE v = {v:String}', undefined, {
        v: first!,
      })
    const several = 'SELECT count() FROM t /* only v = {v:Array(String)} */ WHERE v IN {v:Array(String)}'
    return this.run(several, undefined, { v: `['${values.join("','")}']` })
  }

  /** Inserts so many rows, each with an id of its own: in turns by HTTP and over the parent's stream. */
  async insert(rows: number, v?: string): Promise<number[]> {
    const ids = Array.from({ length: rows }, () => this.next++)
    const body = block(ids, v)
    this.isAppended = !this.isAppended
    const isDone = this.isAppended && (await this.append(insertion, body))
    if (!isDone) await this.run(insertion, body)
    this.acknowledged.push(...ids)
    return ids
  }

  /** Sends rows over the parent's stream; false where they have to be sent as a statement. */
  async append(query: string, body: Buffer): Promise<boolean> {
    const address = new URLSearchParams({ query })
    const appended = await this.engine.appends.append(address.toString(), [body])
    if (appended && 'text' in appended) throw new Error(appended.text)
    return appended !== undefined
  }

  /** What is wrong: acknowledged rows that are not there, and rows that are there several times. */
  async wrong(): Promise<string> {
    const rows = JSON.parse(
      `[${(await this.run('SELECT id, count() AS n FROM t GROUP BY id FORMAT JSONCompactEachRow')).replaceAll('\n', ',')}]`,
    ) as [string, string][]
    const counts = new Map(rows.map(([id, n]) => [Number(id), Number(n)]))
    const lost = this.acknowledged.filter((id) => !counts.has(id))
    const twice = [...counts].filter(([, n]) => n > 1)
    return lost.length + twice.length === 0 ? '' : `${lost.length} lost, ${twice.length} there twice`
  }
}
