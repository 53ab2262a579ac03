/**
 * Adds versions to objects. Concurrent creations are checked against the stored versions and written by one statement;
 * a process writes one batch at a time, so that each creation sees the earlier ones.
 */

import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import type { HeddleError } from '../../platform/errors/error.js'
import { Lru } from '../../platform/lru/lru.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Classes, Kind } from './classes.js'
import { foldHeads, type StoredRow } from './fold.js'
import { insertObjects, type ObjectRow } from './rows.js'
import { FEW_ROWS, type Head, heads, storedRows, type VersionKey } from './versions.js'

/** A version to create. */
export interface Creation extends VersionKey {
  classes: Classes
  /** JSON text, refs in internal form */
  text: string
  userId: string
}

const BATCH_BYTES = 16 << 20
/** How many objects' classes are cached, and for how long (ms): another process may delete an object and reuse its name. */
const REMEMBERED = 50_000
const REMEMBERED_MS = 60_000

/** A batch's knowledge of one object; a later creation of the batch sees the earlier ones. */
interface Known {
  /** [kind, base class] of live versions */
  classes: [Kind, string][]
  /** digests stored before, and whether they are live */
  digests: Map<string, boolean>
  newest: number
}

/** An object's one class, when it was seen, and its newest version then. */
interface Seen {
  kind: Kind
  base: string
  at: number
  newest: number
}

export interface WriterOptions {
  /** called with each version whose value was stored */
  onStored?: (creation: Creation) => void
}

export class ObjectWriter {
  private readonly gather: Batcher<Creation, HeddleError | undefined>
  private readonly seen = new Lru<Seen>(REMEMBERED)

  constructor(
    private readonly store: Store,
    private readonly options: WriterOptions = {},
  ) {
    this.gather = new Batcher((creations) => this.write(creations), {
      weight: BATCH_BYTES,
      weigh: ({ text }) => text.length,
    })
  }

  /** Resolves when the version is stored and is the latest. @throws 400 if its class clashes with the stored versions' */
  async create(creation: Creation): Promise<void> {
    const refused = await this.gather.ask(creation)
    if (refused) throw refused
  }

  private async write(sent: readonly Creation[]): Promise<(HeddleError | undefined)[]> {
    const creations = await this.masked(sent)
    const known = await this.known(creations)
    const rows: ObjectRow[] = []
    const valued: Creation[] = []
    const answers = creations.map((creation) => plan(creation, known.get(nameOf(creation))!, rows, valued))
    await insertObjects(this.store, rows)
    for (const creation of valued) this.options.onStored?.(creation)
    for (const [name, { classes, newest }] of known) this.remember(name, classes, newest)
    return answers
  }

  /** As they are to be stored, and remembered, under the digests of what was sent. */
  private async masked(sent: readonly Creation[]): Promise<readonly Creation[]> {
    const values = sent.map(({ project, text }) => ({ project_id: project, val: text }))
    const stored = await this.store.changed('objects', values)
    return stored === values ? sent : sent.map((creation, i) => ({ ...creation, text: stored[i]!.val }))
  }

  /**
   * The stored state of each object. It reads nothing if the class matches the cached one, which can't clash: if the
   * digest was stored before, the new row folds into the old one.
   */
  private async known(creations: readonly Creation[]): Promise<Map<string, Known>> {
    const known = new Map<string, Known>()
    const unknown = creations.filter((creation) => !this.fits(creation))
    const names = new Set(unknown.map(nameOf))
    for (const creation of creations) {
      const seen = this.seen.get(nameOf(creation))
      const classes: [Kind, string][] = seen && !names.has(nameOf(creation)) ? [[seen.kind, seen.base]] : []
      known.set(nameOf(creation), { classes, digests: new Map(), newest: seen?.newest ?? 0 })
    }
    if (unknown.length === 0) return known
    for (const head of await this.heads(unknown)) {
      known.set(`${head.project_id} ${head.object_id}`, {
        classes: head.classes,
        digests: new Map(head.known.map(([digest, live]) => [digest, live === 1])),
        newest: head.newest,
      })
    }
    return known
  }

  private async heads(keys: readonly VersionKey[]): Promise<Head[]> {
    const rows = await this.store.rows<StoredRow>(storedRows(keys))
    return rows.length <= FEW_ROWS ? foldHeads(rows, keys) : this.store.rows<Head>(heads(keys))
  }

  private fits(creation: Creation): boolean {
    const seen = this.seen.get(nameOf(creation))
    if (!seen || performance.now() - seen.at > REMEMBERED_MS) return false
    return seen.kind === creation.classes.kind && seen.base === (creation.classes.base ?? '')
  }

  private remember(name: string, classes: readonly [Kind, string][], newest: number): void {
    const [first] = classes
    const before = this.seen.get(name)
    if (!first || classes.some(([kind, base]) => kind !== first[0] || base !== first[1])) return
    const at = before && before.kind === first[0] && before.base === first[1] ? before.at : performance.now()
    this.seen.set(name, { kind: first[0], base: first[1], at, newest })
  }
}

function nameOf({ project, object }: VersionKey): string {
  return `${project} ${object}`
}

/** Adds the row of `creation` to `rows`, and the creation to `valued` if its row has the value. @returns why it is refused */
function plan(
  creation: Creation,
  object: Known,
  rows: ObjectRow[],
  valued: Creation[],
): HeddleError | undefined {
  const { digest, classes } = creation
  const base = classes.base ?? ''
  const live = object.digests.get(digest)
  const clash = live
    ? undefined
    : object.classes.find(([kind, other]) => kind === classes.kind && other !== base)
  if (clash) return classClash(creation.object, clash[1], base)
  // Clocks of processes differ; a later write needs a higher version.
  const ver = Math.max(nextVersion(), object.newest + 1)
  rows.push({
    ...{ project: creation.project, object: creation.object, digest, ver },
    ...(live === undefined && {
      value: {
        ...{ kind: classes.kind, base, leaf: classes.leaf ?? '', text: creation.text },
        userId: creation.userId,
      },
    }),
  })
  if (live === undefined) valued.push(creation)
  object.digests.set(digest, true)
  if (!live) object.classes.push([classes.kind, base])
  object.newest = ver
  return undefined
}

function classClash(object: string, before: string, now: string): HeddleError {
  const name = (base: string) => (base === '' ? 'no base class' : `base class ${base}`)
  return errors.badRequest(
    `Versions of "${object}" have ${name(before)}, this one has ${name(now)}; publish it under another name.`,
  )
}
