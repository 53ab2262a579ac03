/** What values refer to by digest on a Weave server, copied here: versions of objects, tables, files. */

import { projectPart } from '../../contract/ref.js'
import { type JsonTree, parseTree, treeText } from '../../platform/json/tree.js'
import { Lru } from '../../platform/lru/lru.js'
import { AnswerError } from '../http-client.js'
import type { Checkpoint } from './checkpoint.js'
import type { MovedRefs } from './moved-refs.js'
import { isRefusal, type Remote } from './remote.js'

/** Rows of a table that are sent at once. */
const MOST_ROWS = 5000
const MOST_LENGTH = 2 << 20
/** Copies that are remembered, so that they are not made again. */
const REMEMBERED = 100_000

export class Assets {
  private readonly copied = new Lru<true>(REMEMBERED)
  private readonly tableRef: string

  constructor(
    private readonly from: Remote,
    private readonly to: Remote,
    private readonly source: string,
    private readonly project: string,
    private readonly refs: MovedRefs,
    private readonly checkpoint: Checkpoint,
  ) {
    this.tableRef = `weave:///${projectPart(source)}/table/`
  }

  /** A version, after the tables and files in it. */
  async copyObject(name: string, digest: string, value: JsonTree): Promise<void> {
    await this.copyTables(value)
    await this.copyFiles(value)
    const obj = new Map<string, JsonTree>([
      ['project_id', this.project],
      ['object_id', name],
      ['val', this.refs.tree(value)],
    ])
    try {
      const made = await this.to.json<{ digest: string }>('/obj/create', {
        body: treeText(new Map([['obj', obj]])),
      })
      this.note(digest, made.digest)
    } catch (error) {
      this.leaveOut(error, `${name}:${digest}`)
    }
  }

  /** The files that values of SDKs' own types consist of. */
  async copyFiles(value: JsonTree | ReadonlyMap<string, JsonTree>): Promise<void> {
    for (const digest of filesIn(value)) await this.once(digest, () => this.copyFile(digest))
  }

  private async copyTables(value: JsonTree): Promise<void> {
    for (const text of textsIn(value)) {
      if (!text.startsWith(this.tableRef)) continue
      const digest = text.slice(this.tableRef.length)
      await this.once(digest, () => this.from.patiently(() => this.copyTable(digest)))
    }
  }

  private async once(digest: string, copy: () => Promise<void>): Promise<void> {
    if (this.copied.has(digest)) return
    try {
      await copy()
    } catch (error) {
      this.leaveOut(error, digest)
    }
    this.copied.set(digest, true)
  }

  private async copyFile(digest: string): Promise<void> {
    const bytes = await this.from.patiently(async () => {
      const answer = await this.from.ask('/file/content', { json: { project_id: this.source, digest } })
      return answer.arrayBuffer()
    })
    const form = new FormData()
    form.append('project_id', this.project)
    form.append('file', new Blob([bytes]), 'file')
    await this.to.json('/file/create', { body: form })
  }

  private async copyTable(digest: string): Promise<void> {
    const digests: string[] = []
    let table: { digest: string } | undefined
    let rows: string[] = []
    let length = 0
    const store = async () => {
      const body = `{"table":{"project_id":${JSON.stringify(this.project)},"rows":[${rows.join(',')}]}}`
      const made = await this.to.json<{ digest: string; row_digests: string[] }>('/table/create', { body })
      for (const one of made.row_digests) digests.push(one)
      ;[table, rows, length] = [made, [], 0]
    }
    for await (const value of this.rowsOf(digest)) {
      rows.push(value)
      length += value.length
      if (rows.length >= MOST_ROWS || length >= MOST_LENGTH) await store()
    }
    const isWhole = table === undefined
    if (rows.length > 0 || isWhole) await store()
    if (!isWhole)
      table = await this.to.json<{ digest: string }>('/table/create_from_digests', {
        json: { project_id: this.project, row_digests: digests },
      })
    this.note(digest, table!.digest)
  }

  private async *rowsOf(digest: string): AsyncGenerator<string> {
    for await (const line of this.from.lines('/table/query_stream', { project_id: this.source, digest })) {
      const row = parseTree(line)
      const value = row instanceof Map ? (row.get('val') ?? null) : null
      await this.copyFiles(value)
      yield treeText(this.refs.tree(value))
    }
  }

  /** Remembers a digest that is another here, for the refs to it. */
  private note(was: string, is: string): void {
    if (was !== is) this.checkpoint.progress.digests[was] = is
  }

  /** What is missing there, or refused here, doesn't hold up the rest. @throws any other error */
  private leaveOut(error: unknown, what: string): void {
    if (!isRefusal(error) && !(error instanceof AnswerError && error.answered === 404)) throw error
    this.checkpoint.refuse(1, `${what}: ${error.message}`)
  }
}

function* textsIn(value: JsonTree): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (value instanceof Map) for (const item of value.values()) yield* textsIn(item)
}

function* filesIn(value: JsonTree | ReadonlyMap<string, JsonTree>): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* filesIn(item)
  if (!(value instanceof Map)) return
  const files = value.get('_type') === 'CustomWeaveType' ? value.get('files') : undefined
  if (files instanceof Map) for (const digest of files.values()) if (typeof digest === 'string') yield digest
  for (const item of value.values()) yield* filesIn(item)
}
