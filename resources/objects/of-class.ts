/** The objects of a class in all projects, as their newest versions are: read again now and then, and each version once. */
import { versions } from '../../domain/objects/versions-sql.js'
import type { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { treeValue } from '../../platform/json/tree.js'
import { type ValueParts, wireFields } from './values.js'

export interface ObjectRow {
  project_id: string
  object_id: string
  digest: string
  /** µs since the epoch */
  written_ver: string
}

/** Makes what is known of a version. @param project `entity/project` @param value in wire form */
export type Make<Known> = (row: ObjectRow, project: string, value: unknown) => Known

export class ObjectsOfClass<Known> {
  private readonly known = new Map<string, Known>()

  constructor(
    private readonly parts: ValueParts & { store: Store },
    private readonly className: string,
    private readonly make: Make<Known>,
  ) {}

  /** A text that differs whenever one was made, changed or deleted; and now and then otherwise. */
  mark(marks: ChangeMarks): Promise<string> {
    const mine = sql`base_class = ${bind.string(this.className)}`
    const mark = sql`concat(toString(maxIf(written_ver, ${mine})), ' ', toString(max(deleted_ver)))`
    return marks.of(this.className, mark, sql`objects`)
  }

  /** The newest versions. @param projectId default: of all projects */
  async read(projectId?: string): Promise<Known[]> {
    const rows = await this.parts.store.rows<ObjectRow>(newest(this.className, projectId))
    const fresh = rows.filter((row) => !this.known.has(keyOf(row)))
    if (fresh.length > 0) await this.learn(fresh)
    const keys = new Set(rows.map(keyOf))
    if (projectId === undefined) {
      for (const key of this.known.keys()) if (!keys.has(key)) this.known.delete(key)
    }
    return rows.flatMap((row) => this.known.get(keyOf(row)) ?? [])
  }

  private async learn(rows: readonly ObjectRow[]): Promise<void> {
    const { register } = this.parts
    await register.learn(rows.map((row) => row.project_id))
    const values = await wireFields(
      this.parts,
      rows.map(({ project_id, object_id, digest }) => ({ project: project_id, object: object_id, digest })),
    )
    rows.forEach((row, i) => {
      const project = register.nameOf(row.project_id)
      if (project !== undefined)
        this.known.set(keyOf(row), this.make(row, project, treeValue(new Map(values[i]))))
    })
  }
}

const keyOf = ({ project_id, object_id, digest, written_ver }: ObjectRow) =>
  `${project_id} ${object_id} ${digest} ${written_ver}`

function newest(className: string, projectId?: string): Sql {
  const here = projectId === undefined ? sql`` : sql` AND project_id = ${bind.string(projectId)}`
  const mine = sql`base_class = ${bind.string(className)}`
  const those = sql`(project_id, object_id) IN (SELECT DISTINCT project_id, object_id FROM objects
    WHERE ${mine}${here})${here}`
  return sql`SELECT project_id, object_id, digest, toString(written_ver) AS written_ver
    FROM (${versions(those)}) WHERE is_latest AND ${mine} ORDER BY project_id, object_id`
}
