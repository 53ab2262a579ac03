/**
 * Adds versions to objects. Creations that come together are checked against what is there and written by one
 * statement; batches of one process follow each other, so that two of its creations never pass each other by.
 */
import type { Store } from '../../common/clickhouse/store.js'
import { errors } from '../../common/errors/catalog.js'
import type { HeddleError } from '../../common/errors/error.js'
import { nowMicros } from '../../common/time/iso.js'
import { Gather } from '../gather.js'
import type { Classes } from './classes.js'
import { type Head, heads, type VersionKey } from './versions.js'

/** A version to be. */
export interface Creation extends VersionKey {
  classes: Classes
  /** JSON text, refs in internal form */
  text: string
  userId: string
}

const BATCH_BYTES = 16 << 20

/** Rows of one batch that are not written yet, by object; a later creation of the batch sees the earlier ones. */
interface Known {
  classes: [string, string][]
  /** digest → live */
  digests: Map<string, boolean>
  latest: string
  newest: number
}

export class ObjectWriter {
  private readonly gather: Gather<Creation, HeddleError | undefined>

  constructor(private readonly store: Store) {
    this.gather = new Gather((creations) => this.write(creations), {
      weight: BATCH_BYTES,
      weigh: ({ text }) => text.length,
    })
  }

  /** Resolves when the version is stored and is the latest. @throws 400 if its class clashes with what is there */
  async create(creation: Creation): Promise<void> {
    const refused = await this.gather.ask(creation)
    if (refused) throw refused
  }

  private async write(creations: readonly Creation[]): Promise<(HeddleError | undefined)[]> {
    const known = new Map<string, Known>()
    for (const head of await this.store.rows<Head>(heads(creations))) {
      known.set(`${head.project_id} ${head.object_id}`, {
        classes: head.classes,
        digests: new Map(head.known.map(([digest, live]) => [digest, live === 1])),
        latest: head.latest,
        newest: head.newest,
      })
    }
    const rows: string[] = []
    const answers = creations.map((creation) => {
      const key = `${creation.project} ${creation.object}`
      const object = known.get(key) ?? { classes: [], digests: new Map(), latest: '', newest: 0 }
      known.set(key, object)
      return plan(creation, object, rows)
    })
    if (rows.length > 0) await this.store.insert('objects', 'JSONEachRow', [Buffer.from(rows.join('\n'))])
    return answers
  }
}

/** Adds the row that `creation` needs to `rows`, if it needs one, or returns why it may not be. */
function plan(creation: Creation, object: Known, rows: string[]): HeddleError | undefined {
  const { digest, classes } = creation
  const live = object.digests.get(digest)
  if (live && object.latest === digest) return undefined
  const base = classes.base ?? ''
  const clash = live
    ? undefined
    : object.classes.find(([kind, other]) => kind === classes.kind && other !== base)
  if (clash) return classClash(creation.object, clash[1], base)
  // Clocks of several processes differ; what is written later must also say so.
  const ver = Math.max(nowMicros(), object.newest + 1)
  rows.push(
    JSON.stringify({
      project_id: creation.project,
      object_id: creation.object,
      digest,
      written_ver: ver,
      ...(live === undefined && {
        kind: classes.kind,
        base_class: base,
        leaf_class: classes.leaf ?? '',
        val: creation.text,
        bytes: Buffer.byteLength(creation.text),
        created: { at: ver, by: creation.userId },
      }),
    }),
  )
  object.digests.set(digest, true)
  if (!live) object.classes.push([classes.kind, base])
  object.latest = digest
  object.newest = ver
  return undefined
}

function classClash(object: string, before: string, now: string): HeddleError {
  const name = (base: string) => (base === '' ? 'no base class' : `base class ${base}`)
  return errors.badRequest(
    `Versions of "${object}" have ${name(before)}, this one has ${name(now)}; publish it under another name.`,
  )
}
