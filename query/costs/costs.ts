/** Creates, lists and purges a project's prices. `expression.ts` computes a call's cost. */
import type { CostCreateInput, CostQueryOutput, CostQueryReq } from '../../contract/costs.js'
import { compileExpr } from '../../domain/expr/compile.js'
import { orderTerms } from '../../domain/expr/order.js'
import type { Fields, PlainValue } from '../../domain/expr/value.js'
import { mapPieces } from '../../domain/lists/json.js'
import { orderBy, pageOf } from '../../domain/lists/sql.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { microsOf } from '../../platform/time/micros.js'
import { nextVersion } from '../../platform/time/versions.js'

const OUTPUT: Record<keyof CostQueryOutput, PlainValue> = {
  id: { kind: 'text', sql: sql`id` },
  llm_id: { kind: 'text', sql: sql`llm_id` },
  prompt_token_cost: { kind: 'number', sql: sql`prompt` },
  completion_token_cost: { kind: 'number', sql: sql`completion` },
  cache_read_input_token_cost: { kind: 'number', sql: sql`cache_read` },
  cache_creation_input_token_cost: { kind: 'number', sql: sql`cache_creation` },
  prompt_token_cost_unit: { kind: 'text', sql: sql`prompt_unit` },
  completion_token_cost_unit: { kind: 'text', sql: sql`completion_unit` },
  effective_date: { kind: 'time', sql: sql`effective_date` },
  provider_id: { kind: 'text', sql: sql`provider_id` },
}

const KNOWN = new Map<string, PlainValue>([
  ...Object.entries(OUTPUT),
  ['created_at', { kind: 'time', sql: sql`created_at` }],
  ['created_by', { kind: 'text', sql: sql`created_by` }],
])

const costFields: Fields = (name) => KNOWN.get(name)

/** `row` with null for fields that were not requested. @throws 422 for an unknown field */
function selection(fields: CostQueryReq['fields']): (row: CostQueryOutput) => CostQueryOutput {
  if (fields === null || fields.length === 0) return (row) => row
  for (const name of fields) if (!Object.hasOwn(OUTPUT, name)) throw errors.badField(name.slice(0, 200))
  const left = Object.keys(OUTPUT).filter((name) => !fields.includes(name))
  const nulls = Object.fromEntries(left.map((name) => [name, null]))
  return (row) => ({ ...row, ...nulls })
}

const MOST = 1000

export class Costs {
  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
  ) {}

  /**
   * Stores prices by model.
   * @returns `[id, model]` of each
   */
  async create(
    project: string,
    userId: string,
    costs: Readonly<Record<string, CostCreateInput>>,
  ): Promise<[string, string][]> {
    const entries = Object.entries(costs)
    if (entries.length > MOST) throw errors.tooMany('prices', MOST)
    const rows = entries.map(([model, input]) => rowOf(project, userId, model, input))
    await this.store.insertRows('costs', rows)
    return rows.map(({ id, llm_id }) => [id, llm_id])
  }

  /** The project's own prices, in pieces. @throws 422 for an unknown field */
  query(request: CostQueryReq, signal: AbortSignal): AsyncIterable<CostQueryOutput[]> {
    const select = selection(request.fields)
    const options = { limits: this.limits, signal }
    const rows = streamRows<Row>(this.store, queryStatement(request), options)
    return mapPieces(rows, ({ effective, ...row }) =>
      select({ ...row, effective_date: isoOfMicros(effective) }),
    )
  }

  /** Deletes the project's prices with these ids; unknown ids are ignored. */
  async purge(project: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const those = sql`${ownRows(project)} AND id IN ${bind.strings(ids)}`
    await this.store.run(sql`INSERT INTO costs SELECT * REPLACE(1 AS deleted, greatest(ver + 1, ${bind.uint(nextVersion())}) AS ver)
      FROM (SELECT * FROM costs FINAL WHERE ${those})`)
  }
}

/** Each price gets its own time, so that lists keep the order of creation. */
function rowOf(project: string, userId: string, model: string, input: CostCreateInput) {
  const now = nowMicros()
  return {
    project_id: projectIdOf(project),
    id: uuid7(),
    llm_id: model,
    provider_id: input.provider_id ?? 'default',
    effective_date: isoOfMicros(input.effective_date === null ? now : microsOf(input.effective_date)),
    prompt: input.prompt_token_cost,
    completion: input.completion_token_cost,
    cache_read: input.cache_read_input_token_cost,
    cache_creation: input.cache_creation_input_token_cost,
    prompt_unit: input.prompt_token_cost_unit ?? 'USD',
    completion_unit: input.completion_token_cost_unit ?? 'USD',
    created_at: isoOfMicros(now),
    created_by: userId,
    ver: nextVersion(),
  }
}

type Row = Omit<CostQueryOutput, 'effective_date'> & { effective: number }

function ownRows(project: string): Sql {
  return sql`project_id = ${bind.string(projectIdOf(project))} AND deleted = 0`
}

function queryStatement({ project_id, query, sort_by, limit, offset }: CostQueryReq): Sql {
  const filter = query ? sql`AND (${compileExpr(query.$expr, costFields)})` : sql``
  return sql`SELECT id, llm_id, prompt AS prompt_token_cost, completion AS completion_token_cost,
      cache_read AS cache_read_input_token_cost, cache_creation AS cache_creation_input_token_cost,
      prompt_unit AS prompt_token_cost_unit, completion_unit AS completion_token_cost_unit,
      toUnixTimestamp64Micro(effective_date) AS effective, provider_id
    FROM costs FINAL WHERE ${ownRows(project_id)} ${filter}
    ORDER BY ${orderOf(sort_by ?? [])}${pageOf(limit, offset)}`
}

function orderOf(sortBy: NonNullable<CostQueryReq['sort_by']>): Sql {
  const terms = sortBy.flatMap(({ field, direction }) => {
    const value = costFields(field)
    if (!value) throw errors.badField(field.slice(0, 200))
    return orderTerms(value, direction)
  })
  return orderBy(terms, [sql`created_at`, sql`id`])
}
