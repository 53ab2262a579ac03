/** Reads versions and values of objects; concurrent reads share a statement. */

import { Batcher } from '../../platform/batch/batcher.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { Lru } from '../../platform/lru/lru.js'
import { foldVersions, type StoredRow } from './fold.js'
import {
  FEW_ROWS,
  keyOf,
  type ObjectKey,
  storedRows,
  type Version,
  type VersionKey,
  values,
  type Wanted,
  wantedVersions,
} from './versions.js'

/** The most versions or values read by one statement. */
const BATCH = 1000
/** The most bytes of values cached. */
const REMEMBERED_BYTES = 32 << 20
/** The most objects remembered as having many versions. */
const LARGE_OBJECTS = 10_000
const MANY = 200

export class ObjectReader {
  private readonly versions: Batcher<Wanted, Version | undefined>
  private readonly texts: Batcher<VersionKey, string | undefined>
  private readonly asked = new Map<string, Promise<string | undefined>>()
  private readonly remembered = new Lru<string>(REMEMBERED_BYTES, (text) => text.length * 2)
  /** values to read together with their versions */
  private readonly expected = new Set<string>()
  private readonly large = new Lru<true>(LARGE_OBJECTS)

  constructor(private readonly store: Store) {
    this.versions = new Batcher((wanted) => this.readVersions(wanted), { items: BATCH })
    this.texts = new Batcher((keys) => this.readValues(keys), { items: BATCH })
  }

  /** The wanted version, deleted or not, or undefined if there never was one. */
  version(wanted: Wanted): Promise<Version | undefined> {
    return this.versions.ask(wanted)
  }

  /** The JSON text of a version's value, refs in internal form. The value of a digest never changes. */
  value(key: VersionKey): Promise<string | undefined> {
    const name = valueName(key)
    const remembered = this.remembered.get(name)
    if (remembered !== undefined) return Promise.resolve(remembered)
    const before = this.asked.get(name)
    if (before) return before
    const text = this.ask(name, key)
    this.asked.set(name, text)
    return text
  }

  /** Hints that the next read of this version will be followed by one of its value. */
  expect(key: VersionKey): void {
    const name = valueName(key)
    if (this.remembered.get(name) === undefined) this.expected.add(name)
  }

  /** Caches a stored value: published values are often read soon. */
  note(key: VersionKey & { text: string }): void {
    this.remembered.set(valueName(key), key.text)
  }

  private async ask(name: string, key: VersionKey): Promise<string | undefined> {
    try {
      const text = await this.texts.ask(key)
      if (text !== undefined) this.remembered.set(name, text)
      return text
    } finally {
      this.asked.delete(name)
    }
  }

  private async readVersions(wanted: readonly Wanted[]): Promise<(Version | undefined)[]> {
    const rows = await this.rowsOf(wanted)
    const found = new Map<string, Version>()
    for (const row of rows) {
      const key = { project: row.project_id, object: row.object_id }
      found.set(nameOf({ ...key, by: 'digest', digest: row.digest }), row)
      found.set(nameOf({ ...key, by: 'index', index: row.version_index }), row)
      const latest = nameOf({ ...key, by: 'latest' })
      if (row.is_latest === 1 || newer(row, found.get(latest))) found.set(latest, row)
    }
    return wanted.map((want) => found.get(nameOf(want)))
  }

  /** The wanted versions, and possibly others of their objects. */
  private async rowsOf(wanted: readonly Wanted[]): Promise<Version[]> {
    const few = wanted.filter((want) => !this.large.get(objectName(want)))
    const many = wanted.filter((want) => this.large.get(objectName(want)))
    const read = (some: readonly Wanted[], by: (some: readonly Wanted[]) => Promise<Version[]>) =>
      some.length === 0 ? [] : by(some)
    const found = await Promise.all([
      read(few, (some) => this.folded(some)),
      read(many, (some) => this.store.rows<Version>(wantedVersions(some))),
    ])
    return found.flat()
  }

  /** Folds the rows in this process, unless there are too many. */
  private async folded(wanted: readonly Wanted[]): Promise<Version[]> {
    const valued = wanted.flatMap((want) =>
      want.by === 'digest' && this.expected.delete(valueName(want)) ? [want] : [],
    )
    const rows: StoredRow[] = []
    for (const row of await this.store.rows<StoredRow & { val?: string }>(storedRows(wanted, valued))) {
      if (row.val) this.remembered.set(valueName(keyOf(row)), row.val)
      else rows.push(row)
    }
    if (rows.length <= FEW_ROWS) return foldVersions(rows)
    const counts = new Map<string, number>()
    for (const row of rows) {
      const name = objectName(keyOf(row))
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    for (const [name, count] of counts) if (count > MANY) this.large.set(name, true)
    return this.store.rows<Version>(wantedVersions(wanted))
  }

  private async readValues(keys: readonly VersionKey[]): Promise<(string | undefined)[]> {
    const rows = await this.store.rows<{
      project_id: string
      object_id: string
      digest: string
      val: string
    }>(values(keys))
    const found = new Map(rows.map((row) => [valueName(keyOf(row)), row.val] as const))
    return keys.map((key) => found.get(valueName(key)))
  }
}

const objectName = ({ project, object }: ObjectKey) => `${project} ${object}`
const valueName = (key: VersionKey) => `${objectName(key)} ${key.digest}`

/** If no version is live, the last one deleted counts as the latest. */
function newer(row: Version, than: Version | undefined): boolean {
  return than === undefined || (than.is_latest === 0 && row.deleted_at > than.deleted_at)
}

function nameOf(want: Wanted): string {
  const which = want.by === 'digest' ? `=${want.digest}` : want.by === 'index' ? `v${want.index}` : '*'
  return `${want.project} ${want.object} ${which}`
}
