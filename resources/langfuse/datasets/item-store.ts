/** Stores and reads the versions of datasets' items. */
import { allOf, bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { membersOf, objectText } from '../../../platform/json/members.js'
import type { Item, Status } from './item.js'

/** A dataset by internal project id and object id. */
export interface DatasetKey {
  project: string
  dataset: string
}

/** An item whose row changed between two versions of its dataset; '' for none. */
export interface ChangedRow {
  id: string
  before: string
  after: string
}

/** What a filter asks of items: what they were made from. */
export interface Sources {
  source_trace_id?: string
  source_observation_id?: string
}

interface Stored {
  id: string
  dataset: string
  status: Status
  created: number
  ver: number
  row: string
  members: string
}

const COLUMNS = sql`item_id AS id, dataset_object_id AS dataset, status, created, ver, row_digest AS row, members`

const ofDataset = ({ project, dataset }: DatasetKey) =>
  sql`project_id = ${bind.string(project)} AND dataset_object_id = ${bind.string(dataset)}`

const upTo = (until: number | undefined) =>
  until === undefined ? sql`` : sql` AND ver <= ${bind.uint(until)}`

export class ItemStore {
  constructor(private readonly store: Store) {}

  /** Resolves when these versions are stored. */
  async write(project: string, items: readonly Item[], userId: string): Promise<void> {
    await this.store.insertRows(
      'dataset_items',
      items.map(({ id, dataset, row, members, ...more }) => ({
        ...{ project_id: project, dataset_object_id: dataset, item_id: id, row_digest: row, ...more },
        ...{ members: objectText(members), user_id: userId },
      })),
    )
  }

  /** The items of a dataset with these ids, as they are or as they were. Deleted ones as well. */
  async items(key: DatasetKey, ids: readonly string[], until?: number): Promise<Map<string, Item>> {
    if (ids.length === 0) return new Map()
    const found = await this.read(sql`${ofDataset(key)} AND item_id IN ${bind.strings(ids)}${upTo(until)}`)
    return new Map(found.map((item) => [item.id, item]))
  }

  /** The item with this id, in any dataset; deleted ones as well. */
  async item(project: string, id: string): Promise<Item | undefined> {
    const found = await this.read(sql`project_id = ${bind.string(project)} AND item_id = ${bind.string(id)}`)
    return found.sort(
      (a, b) => Number(a.status === 'DELETED') - Number(b.status === 'DELETED') || b.ver - a.ver,
    )[0]
  }

  /** The items that are or were these rows, by the rows' digests. */
  async ofRows(key: DatasetKey, digests: readonly string[]): Promise<Map<string, Item>> {
    if (digests.length === 0) return new Map()
    const rows = await this.store.rows<Stored>(sql`SELECT ${COLUMNS} FROM dataset_items
      WHERE ${ofDataset(key)} AND row_digest IN ${bind.strings(digests)}
      ORDER BY row_digest, ver DESC LIMIT 1 BY row_digest`)
    return new Map(rows.map((row) => [row.row, itemOf(row)]))
  }

  /** The digests of rows of items that were made from these sources. */
  async rowsFrom(key: DatasetKey, sources: Sources, until?: number): Promise<Set<string>> {
    const from = Object.entries(sources).map(
      ([name, id]) => sql`JSONExtractString(members, ${bind.string(name)}) = ${bind.string(id)}`,
    )
    const rows = await this.store.rows<{ row: string }>(
      sql`SELECT row_digest AS row FROM dataset_items WHERE ${ofDataset(key)} AND ${allOf(from)}${upTo(until)}`,
    )
    return new Set(rows.map(({ row }) => row))
  }

  /** The versions of a dataset's changes after `through`, with the rows and bytes that each has. */
  async changesSince(
    key: DatasetKey,
    through: number,
  ): Promise<{ ver: number; items: number; bytes: number }[]> {
    const rows = await this.store.rows<{ ver: number; items: number; bytes: number }>(sql`
      SELECT ver, count() AS items, sum(length(members)) AS bytes FROM dataset_items
      WHERE ${ofDataset(key)} AND ver > ${bind.uint(through)} GROUP BY ver ORDER BY ver LIMIT 10000`)
    return rows.map(({ ver, items, bytes }) => ({
      ver: Number(ver),
      items: Number(items),
      bytes: Number(bytes),
    }))
  }

  /** The items that changed after `through`, in the order in which they were made. */
  changedRows(key: DatasetKey, through: number, until?: number): Promise<ChangedRow[]> {
    return this.store.rows<ChangedRow>(sql`
      SELECT item_id AS id, argMaxIf(row_digest, ver, ver <= ${bind.uint(through)}) AS before,
        argMax(row_digest, ver) AS after
      FROM dataset_items WHERE ${ofDataset(key)}${upTo(until)}
      GROUP BY item_id HAVING max(ver) > ${bind.uint(through)} ORDER BY argMax(created, ver), item_id`)
  }

  /** Datasets that changed in the hour before the last change of all: a process may have left them behind. */
  recent(): Promise<DatasetKey[]> {
    return this.store.rows<DatasetKey>(sql`
      SELECT DISTINCT project_id AS project, dataset_object_id AS dataset FROM dataset_items
      WHERE ver + 3600000000 > (SELECT max(ver) FROM dataset_items)`)
  }

  private async read(where: Sql): Promise<Item[]> {
    const rows = await this.store.rows<Stored>(sql`SELECT ${COLUMNS} FROM dataset_items WHERE ${where}
      ORDER BY dataset_object_id, item_id, ver DESC LIMIT 1 BY dataset_object_id, item_id`)
    return rows.map(itemOf)
  }
}

function itemOf({ created, ver, members, ...row }: Stored): Item {
  return { ...row, created: Number(created), ver: Number(ver), members: membersOf(members) }
}
