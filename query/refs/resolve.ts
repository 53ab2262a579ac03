/**
 * Finds what refs of objects and ops point at, many at once in a few statements: first the versions, then their
 * values, then the steps into them; rows of tables are asked for together in between. A value may hold the ref of any
 * table, also of one that its writer can't read: rows are for those who may read the project that they are in. Knows no
 * wire form.
 */
import type { Principal } from '../../common/auth/principal.js'
import { projectIdOf } from '../../common/ids/project.js'
import { lookup } from '../../common/json/fields.js'
import type { Slice } from '../../common/json/scan.js'
import { stringAt } from '../../common/json/text.js'
import type { ProjectRegister } from '../../common/projects/register.js'
import { type ObjectRef, parseInternalRef, type Step } from '../../common/refs/ref.js'
import type { VersionFinder } from '../objects/find.js'
import type { ObjectReader } from '../objects/reader.js'
import { looksLikeDigest } from '../objects/which.js'

/** A ref to be resolved; `project` is `entity/project`. */
export type Pointer = ObjectRef & { project: string }

/** What a ref points at: JSON text in internal form; deleted; no such object; or a path that leads nowhere. */
export type Resolved = { state: 'found'; text: string } | { state: 'deleted' | 'missing' | 'nowhere' }

/** A row of a table by internal project id and digest. */
export interface RowKey {
  project: string
  digest: string
}
/** Reads rows of tables: JSON texts in internal form, undefined for those there are none of. */
export type RowReader = (keys: readonly RowKey[]) => Promise<(string | undefined)[]>

export class RefReader {
  constructor(
    private readonly finder: VersionFinder,
    private readonly objects: ObjectReader,
    private readonly rows: RowReader,
    private readonly register: ProjectRegister,
  ) {}

  /** What each pointer points at, in order. The caller has seen to it that `principal` may read their projects. */
  async resolve(pointers: readonly Pointer[], principal: Principal): Promise<Resolved[]> {
    const starts = await Promise.all(pointers.map((pointer) => this.start(pointer)))
    const walks = starts.map((start, i) => walk(start, pointers[i]!.steps))
    for (;;) {
      const waiting = walks.flatMap((at, i) => (at.state === 'row' ? [{ at, i }] : []))
      if (waiting.length === 0) break
      await this.register.learn(waiting.map(({ at }) => at.row.project))
      const allowed = waiting.filter(({ at }) => this.mayRead(principal, at.row.project))
      for (const { i } of waiting) walks[i] = { state: 'nowhere' }
      const texts = await this.rows(allowed.map(({ at }) => at.row))
      allowed.forEach(({ at, i }, n) => {
        const text = texts[n]
        if (text !== undefined) walks[i] = walk({ state: 'found', text }, at.rest)
      })
    }
    return walks as Resolved[]
  }

  private mayRead(principal: Principal, projectId: string): boolean {
    const name = this.register.nameOf(projectId)
    return name !== undefined && principal.may('read', name)
  }

  private async start(pointer: Pointer): Promise<Resolved> {
    const key = { project: projectIdOf(pointer.project), object: pointer.name }
    if (looksLikeDigest(pointer.digest)) this.objects.expect({ ...key, digest: pointer.digest })
    const version = await this.finder.find(key.project, key.object, pointer.digest)
    if (!version) return { state: 'missing' }
    if (version.deleted_at !== 0) return { state: 'deleted' }
    const text = await this.objects.value({ ...key, digest: version.digest })
    return text === undefined ? { state: 'missing' } : { state: 'found', text }
  }
}

/** How far a ref was followed: to its end, or to the row of a table that has to be read first. */
type Walk = Resolved | { state: 'row'; row: RowKey; rest: Step[] }

function walk(from: Resolved, steps: readonly Step[]): Walk {
  if (from.state !== 'found' || steps.length === 0) return from
  const buf = Buffer.from(from.text)
  let here: Slice = { from: 0, to: buf.length }
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'id') {
      const row = rowOf(stringAt(buf, here) ?? '', step.name)
      return row ? { state: 'row', row, rest: steps.slice(i + 1) } : { state: 'nowhere' }
    }
    const next = into(buf, here, step)
    if (!next) return { state: 'nowhere' }
    here = next
  }
  return { state: 'found', text: buf.toString('utf8', here.from, here.to) }
}

/** An index goes into lists alone, an attribute or key into objects alone. */
function into(buf: Uint8Array, here: Slice, { kind, name }: Step): Slice | undefined {
  const opens = kind === 'index' ? 0x5b : 0x7b
  return buf[here.from] === opens ? lookup(buf, here, [name]) : undefined
}

function rowOf(text: string, digest: string): RowKey | undefined {
  const table = parseInternalRef(text)
  return table?.kind === 'table' ? { project: table.project, digest } : undefined
}
