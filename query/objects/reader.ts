/** Reads versions and values of objects, questions that come together in one statement. Knows no wire form. */
import type { Store } from '../../common/clickhouse/store.js'
import { Gather } from '../gather.js'
import { Recent } from '../recent.js'
import { type Version, type VersionKey, values, type Wanted, wantedVersions } from './versions.js'

/** Most versions or values asked for in one statement. */
const BATCH = 1000
/** Of values in memory. */
const REMEMBERED_BYTES = 32 << 20

export class ObjectReader {
  private readonly versions: Gather<Wanted, Version | undefined>
  private readonly texts: Gather<VersionKey, string | undefined>
  private readonly asked = new Map<string, Promise<string | undefined>>()
  private readonly remembered = new Recent<string>(REMEMBERED_BYTES, (text) => text.length * 2)

  constructor(private readonly store: Store) {
    this.versions = new Gather((wanted) => this.readVersions(wanted), { lanes: 2, items: BATCH })
    this.texts = new Gather((keys) => this.readValues(keys), { lanes: 2, items: BATCH })
  }

  /** The version that is wanted, deleted or not, or undefined if there never was one. */
  version(wanted: Wanted): Promise<Version | undefined> {
    return this.versions.ask(wanted)
  }

  /** The JSON text of a version's value, refs in internal form. What a digest stands for never changes. */
  value(key: VersionKey): Promise<string | undefined> {
    const name = `${key.project} ${key.object} ${key.digest}`
    const remembered = this.remembered.get(name)
    if (remembered !== undefined) return Promise.resolve(remembered)
    const before = this.asked.get(name)
    if (before) return before
    const text = this.ask(name, key)
    this.asked.set(name, text)
    return text
  }

  /** Begins to read a value that is likely to be asked for. */
  expect(key: VersionKey): void {
    this.value(key).catch(() => undefined)
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
    const rows = await this.store.rows<Version>(wantedVersions(wanted))
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

  private async readValues(keys: readonly VersionKey[]): Promise<(string | undefined)[]> {
    const rows = await this.store.rows<{
      project_id: string
      object_id: string
      digest: string
      val: string
    }>(values(keys))
    const found = new Map(
      rows.map((row) => [`${row.project_id} ${row.object_id} ${row.digest}`, row.val] as const),
    )
    return keys.map((key) => found.get(`${key.project} ${key.object} ${key.digest}`))
  }
}

/** Where nothing is live, the last one deleted stands for the latest. */
function newer(row: Version, than: Version | undefined): boolean {
  return than === undefined || (than.is_latest === 0 && row.deleted_at > than.deleted_at)
}

function nameOf(want: Wanted): string {
  const which = want.by === 'digest' ? `=${want.digest}` : want.by === 'index' ? `v${want.index}` : '*'
  return `${want.project} ${want.object} ${which}`
}
