/** Sets, removes, lists and looks up tags and aliases. The caller checks first that a version exists. */

import { Batcher } from '../../platform/batch/batcher.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'
import { liveAliases, liveTags, ofObjects, ofProject } from './labels-sql.js'
import { type ObjectKey, objectsIn, type Version } from './versions.js'

/** An alias and its version. */
interface Alias extends ObjectKey {
  alias: string
}
interface Named {
  digest: string
  /** when it was set, µs since the epoch */
  since: number
}
interface Labelled {
  object_id: string
  digest: string
  name: string
}
export interface Labels {
  tags: string[]
  aliases: string[]
}

export class LabelStore {
  private readonly aliases: Batcher<Alias, Named | undefined>

  constructor(private readonly store: Store) {
    this.aliases = new Batcher((asked) => this.readAliases(asked), { concurrency: 2, items: 1000 })
  }

  /** The digest that an alias was last set to; undefined if it was never set, or was removed. */
  alias(project: string, object: string, alias: string): Promise<Named | undefined> {
    return this.aliases.ask({ project, object, alias })
  }

  /** Sets or removes tags of a version. */
  async tag(version: Version, tags: readonly string[], live: boolean, userId: string): Promise<void> {
    const { project_id, object_id, digest } = version
    const ver = after(version)
    await this.store.insertRows(
      'object_tags',
      tags.map((tag) => ({ project_id, object_id, digest, tag, live: live ? 1 : 0, user_id: userId, ver })),
    )
  }

  /** Sets aliases of `version`. */
  async setAliases(version: Version, aliases: readonly string[], userId: string): Promise<void> {
    const { project_id, object_id, digest } = version
    const ver = after(version)
    await this.store.insertRows(
      'object_aliases',
      aliases.map((alias) => ({ project_id, object_id, alias, digest, user_id: userId, ver })),
    )
  }

  async removeAliases(
    project: string,
    object: string,
    aliases: readonly string[],
    userId: string,
  ): Promise<void> {
    const row = { project_id: project, object_id: object, digest: '', user_id: userId, ver: nextVersion() }
    await this.store.insertRows(
      'object_aliases',
      aliases.map((alias) => ({ ...row, alias })),
    )
  }

  /** The distinct tags of a project, sorted. */
  async allTags(project: string): Promise<string[]> {
    return this.names(sql`SELECT DISTINCT name FROM (${liveTags(ofProject(project))}) ORDER BY name`)
  }

  /** The distinct aliases of a project, sorted, `latest` among them if anything is live. */
  async allAliases(project: string): Promise<string[]> {
    const where = ofProject(project)
    return this.names(sql`SELECT DISTINCT name FROM (SELECT name FROM (${liveAliases(where)}) UNION ALL
      SELECT 'latest' AS name FROM (SELECT max(written_ver) > max(deleted_ver) AS live FROM objects WHERE ${where}
        GROUP BY object_id, digest HAVING live LIMIT 1)) ORDER BY name`)
  }

  /** Tags and aliases of versions of one project, sorted, in order. */
  async of(project: string, versions: readonly Version[]): Promise<Labels[]> {
    const where = ofObjects(project, [...new Set(versions.map(({ object_id }) => object_id))])
    const [tags, aliases] = await Promise.all([
      this.store.rows<Labelled>(liveTags(where)),
      this.store.rows<Labelled>(liveAliases(where)),
    ])
    const found = new Map(versions.map((version) => [keyOf(version), { tags: [], aliases: [] } as Labels]))
    for (const row of tags) found.get(keyOf(row))?.tags.push(row.name)
    for (const row of aliases) found.get(keyOf(row))?.aliases.push(row.name)
    return versions.map((version) => {
      const labels = found.get(keyOf(version))!
      const latest = version.is_latest === 1 ? ['latest'] : []
      return { tags: labels.tags.sort(), aliases: [...labels.aliases, ...latest].sort() }
    })
  }

  private async names(statement: ReturnType<typeof sql>): Promise<string[]> {
    return (await this.store.rows<{ name: string }>(statement)).map(({ name }) => name)
  }

  private async readAliases(asked: readonly Alias[]): Promise<(Named | undefined)[]> {
    const rows = await this.store.rows<{ project_id: string; object_id: string; alias: string } & Named>(
      sql`SELECT project_id, object_id, alias, argMax(digest, ver) AS digest, max(ver) AS since FROM object_aliases
        WHERE ${objectsIn(asked)} AND alias IN ${bind.strings(asked.map(({ alias }) => alias))}
        GROUP BY project_id, object_id, alias HAVING digest != ''`,
    )
    const key = (project: string, object: string, alias: string) => `${project} ${object} ${alias}`
    const found = new Map(rows.map((row) => [key(row.project_id, row.object_id, row.alias), row] as const))
    return asked.map(({ project, object, alias }) => found.get(key(project, object, alias)))
  }
}

/** A time later than the version's last deletion, even if clocks differ. */
function after(version: Version): number {
  return Math.max(nextVersion(), version.deleted_ver + 1)
}

function keyOf({ object_id, digest }: { object_id: string; digest: string }): string {
  return `${object_id} ${digest}`
}
