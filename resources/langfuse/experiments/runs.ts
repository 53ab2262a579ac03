/** Reads the runs of Langfuse's experiments, which are runs of evaluations, and their items. */
import { leafHash, TRUNCATED } from '../../../domain/calls/leaves.js'
import { newestOf, rowsOfBoth } from '../../../domain/calls/read/visible.js'
import { IS_RUN, IS_TRIAL } from '../../../domain/evaluation/ops-sql.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { jsonAt, textAt } from '../../evaluation/call-row.js'
import type { Run, RunItem } from './item.js'

/** A run that is stored. Times in µs since the epoch. */
export interface StoredRun extends Run {
  /** id of its call */
  id: string
  /** ref of its evaluation */
  evaluation: string
  started: number
  changed: number
}

/** An item of a stored run, without its row and answer. */
export type StoredItem = Omit<RunItem, 'answer' | 'example'>

interface Row {
  id: string
  started: number
  ended: number
  inputs: string
  attributes: string
}

const columns = (inputs: Sql) => sql`id, started_at, ended_at, ver, ${inputs} AS inputs, attributes`

export class StoredRuns {
  constructor(private readonly store: Store) {}

  async run(project: string, id: string): Promise<StoredRun | undefined> {
    const [row] = await this.rows(project, [sql`id = ${bind.string(id)}`, IS_RUN])
    return row && runOf(project, row)
  }

  /** The runs of a dataset, the newest first. */
  async ofDataset(project: string, dataset: string): Promise<StoredRun[]> {
    const hash = leafHash('attributes.langfuse.experiment.dataset.id', dataset)
    const of = sql`JSONExtractString(attributes, 'langfuse', 'experiment', 'dataset', 'id')`
    const rows = await this.rows(project, [
      sql`hasAny(leaves, ${bind.hashes([hash, TRUNCATED])})`,
      IS_RUN,
      sql`${of} = ${bind.string(dataset)}`,
    ])
    return rows.map((row) => runOf(project, row)).reverse()
  }

  /** The items of a run, the oldest first. */
  async items(project: string, run: string): Promise<StoredItem[]> {
    const rows = await this.rows(project, [sql`parent_id = ${bind.string(run)}`, IS_TRIAL], sql`''`)
    return rows.map(({ started, attributes }) => {
      const text = (name: string) => textAt(attributes, ['langfuse', 'experiment', 'item', name])
      return {
        ...{ started, item: text('id'), trace: text('trace_id'), observation: text('observation_id') },
        row: textAt(attributes, ['weave', 'row_digest']),
      }
    })
  }

  private rows(project: string, conditions: readonly Sql[], inputs = sql`inputs`): Promise<Row[]> {
    return this.store.rows<Row>(sql`SELECT id, toUnixTimestamp64Micro(started_at) AS started,
        toUnixTimestamp64Micro(ended_at) AS ended, inputs, attributes FROM (
      ${newestOf(sql`*`, rowsOfBoth(columns(inputs), projectIdOf(project), conditions))})
      ORDER BY started, id`)
  }
}

function runOf(project: string, { id, started, ended, inputs, attributes }: Row): StoredRun {
  const at = (...path: string[]) => jsonAt(attributes, ['langfuse', 'experiment', ...path]) ?? 'null'
  const text = (...path: string[]) => textAt(attributes, ['langfuse', 'experiment', ...path])
  return {
    ...{ id, project, started, changed: Math.max(started, ended), evaluation: textAt(inputs, ['self']) },
    ...{ name: text('name'), dataset: text('dataset', 'id'), experiment: text('id') },
    ...{ description: text('description') || null, metadata: at('metadata') },
  }
}
