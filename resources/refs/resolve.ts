/**
 * Resolves refs of objects and ops, many at once in a few statements: first the versions, then their values, then the
 * steps into them, batching reads of table rows and nested objects in between. A value may hold refs to projects that
 * its writer can't read; they are followed only if the reader may read those projects.
 */

import { type ObjectRef, parseInternalRef, type Step } from '../../contract/ref.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import type { Principal } from '../../platform/http/principal.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { lookup } from '../../platform/json/fields.js'
import type { Slice } from '../../platform/json/scan.js'
import { stringAt } from '../../platform/json/text.js'
import type { VersionFinder } from '../objects/find.js'
import type { ObjectReader } from '../objects/reader.js'
import { looksLikeDigest } from '../objects/selection.js'
import type { RowKey } from '../tables/reader.js'

/** A ref to resolve; `project` is `entity/project`. */
export type Pointer = ObjectRef & { project: string }

/** A resolved ref: JSON text in internal form, a deleted object, a missing object, or a path that leads nowhere. */
export type Resolved = { state: 'found'; text: string } | { state: 'deleted' | 'missing' | 'nowhere' }

/** Reads rows of tables: JSON texts in internal form, undefined for missing rows. */
export type RowReader = (keys: readonly RowKey[]) => Promise<(string | undefined)[]>

export class RefReader {
  constructor(
    private readonly finder: VersionFinder,
    private readonly objects: ObjectReader,
    private readonly rows: RowReader,
    private readonly register: ProjectRegister,
  ) {}

  /** Resolves pointers, in order. The caller has checked that `principal` may read their projects. */
  async resolve(pointers: readonly Pointer[], principal: Principal): Promise<Resolved[]> {
    const starts = await Promise.all(pointers.map((one) => this.start(projectIdOf(one.project), one)))
    const walks = starts.map((start, i) => walk(start, pointers[i]!.steps))
    for (let hops = 0; ; hops++) {
      const waiting = walks.flatMap((at, i) => ('rest' in at ? [{ at, i }] : []))
      if (waiting.length === 0) break
      for (const { i } of waiting) walks[i] = NOWHERE
      // Objects that reference each other by `latest` form a cycle.
      if (hops === MOST_HOPS) break
      await this.register.learn(waiting.map(({ at }) => at.to.project))
      const allowed = waiting.filter(({ at }) => this.mayRead(principal, at.to.project))
      const found = await this.ends(allowed.map(({ at }) => at.to))
      allowed.forEach(({ at, i }, n) => {
        walks[i] = walk(found[n]!, at.rest)
      })
    }
    return walks as Resolved[]
  }

  /** Resolves refs inside values, in order. A missing target is `nowhere`: the caller didn't request it by name. */
  private async ends(targets: readonly Target[]): Promise<Resolved[]> {
    const rows = targets.flatMap((target) => (target.kind === 'row' ? [target] : []))
    const objects = targets.flatMap((target) => (target.kind === 'row' ? [] : [target]))
    const [texts, values] = await Promise.all([
      this.rows(rows),
      Promise.all(objects.map((target) => this.start(target.project, target))),
    ])
    const found = new Map<Target, Resolved>()
    for (const [i, row] of rows.entries()) {
      const text = texts[i]
      found.set(row, text === undefined ? NOWHERE : { state: 'found', text })
    }
    for (const [i, object] of objects.entries())
      found.set(object, values[i]!.state === 'missing' ? NOWHERE : values[i]!)
    return targets.map((target) => found.get(target)!)
  }

  private mayRead(principal: Principal, projectId: string): boolean {
    const name = this.register.nameOf(projectId)
    return name !== undefined && principal.may('read', name)
  }

  /** The object itself. @param project internal id */
  private async start(project: string, { name: object, digest }: ObjectRef): Promise<Resolved> {
    const key = { project, object }
    if (looksLikeDigest(digest)) this.objects.expect({ ...key, digest })
    const version = await this.finder.find(project, object, digest)
    if (!version) return { state: 'missing' }
    if (version.deleted_at !== 0) return { state: 'deleted' }
    const text = await this.objects.value({ ...key, digest: version.digest })
    return text === undefined ? { state: 'missing' } : { state: 'found', text }
  }
}

/** The target of a ref inside a value: a row of a table, or an object. `project` is an internal id. */
type Target = (RowKey & { kind: 'row' }) | (ObjectRef & { project: string })

/** How far a ref was followed: to its end, or to a target that has to be read first. */
type Walk = Resolved | { state: 'on the way'; to: Target; rest: Step[] }

const NOWHERE = { state: 'nowhere' } as const

/** The most refs followed to reach one value. */
const MOST_HOPS = 32

function walk(from: Resolved, steps: readonly Step[]): Walk {
  if (from.state !== 'found' || steps.length === 0) return from
  const buf = Buffer.from(from.text)
  let here: Slice = { from: 0, to: buf.length }
  for (const [i, step] of steps.entries()) {
    const inner = stringAt(buf, here)
    if (inner !== undefined) return onTheWay(inner, steps.slice(i))
    const next = into(buf, here, step)
    if (!next) return NOWHERE
    here = next
  }
  return { state: 'found', text: buf.toString('utf8', here.from, here.to) }
}

/** Follows the ref in a text: nested objects are stored as refs, and steps go into their targets. */
function onTheWay(text: string, steps: Step[]): Walk {
  const ref = parseInternalRef(text)
  const [first, ...rest] = steps
  if (ref?.kind === 'object' || ref?.kind === 'op')
    return { state: 'on the way', to: ref, rest: [...ref.steps, ...steps] }
  if (ref?.kind !== 'table' || first?.kind !== 'id') return NOWHERE
  return {
    state: 'on the way',
    to: { kind: 'row', project: ref.project, table: ref.digest, digest: first.name },
    rest,
  }
}

/** An index steps into lists only, an attribute or key into objects only, a row's digest into tables only. */
function into(buf: Uint8Array, here: Slice, { kind, name }: Step): Slice | undefined {
  if (kind === 'id') return undefined
  const opens = kind === 'index' ? 0x5b : 0x7b
  return buf[here.from] === opens ? lookup(buf, here, [name]) : undefined
}
