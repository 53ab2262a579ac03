/**
 * Answers what runs of evaluations came to, side by side. Which rows there are and what scores amount to is computed
 * by the store; calls are read for the rows of a page alone, a few at a time however long the page is.
 */
import type { Principal } from '../../../common/auth/principal.js'
import type { Sql } from '../../../common/clickhouse/sql.js'
import type { Limits, Store } from '../../../common/clickhouse/store.js'
import type { EvalResultsQuery, EvaluationSummary } from '../../../common/contract/evaluation-results.js'
import { objectDigest } from '../../../common/digest/digest.js'
import { refsToInternal } from '../../../common/digest/refs.js'
import { ValidationError } from '../../../common/errors/error.js'
import { projectIdOf } from '../../../common/ids/project.js'
import { parseTree } from '../../../common/json/tree.js'
import { READ_SETTINGS } from '../../calls/settings.js'
import { isRef, type Resolve } from '../../expand/resolver.js'
import { jsonAt, textAt } from '../call-row.js'
import { type RowParts, rowText } from './assemble.js'
import { type ChildRow, childrenOf, type TrialRow, trialsAt } from './detail.js'
import { type PageRow, pageOfRows } from './page.js'
import {
  countRows,
  type LeafTotals,
  type RunTotals,
  totalsOfLeaves,
  totalsOfRuns,
  totalsOfUsage,
  type UsageTotals,
} from './summary.js'
import { summariesOf } from './tally.js'
import { type KnownRows, NO_ROWS, type RunRoot, type Runs, runRoots, unknownRows } from './trials.js'

export interface ResultParts {
  store: Store
  limits: Required<Limits>
  resolve: Resolve
}

export interface Asking {
  /** `entity/project` */
  project: string
  principal: Principal
  asked: EvalResultsQuery
  signal: AbortSignal
}

/** Rows whose calls are held at once. */
const PIECE = 200

export class EvaluationResults {
  constructor(private readonly parts: ResultParts) {}

  /** JSON text of the answer in pieces. @throws 422 without ids or for unknown fields */
  async answer(asking: Asking): Promise<AsyncIterable<Uint8Array>> {
    const { asked, project } = asking
    const ids = [...new Set([...(asked.evaluation_call_ids ?? []), ...(asked.evaluation_run_ids ?? [])])]
    if (ids.length === 0) throw noIds()
    const read = new Reading(this.parts, asking.signal)
    const projectId = projectIdOf(project)
    const found = await read.rows<RunRoot>(runRoots({ projectId, ids }))
    const roots = ids.flatMap((id) => found.filter((root) => root.id === id))
    const warnings = ids
      .filter((id) => !roots.some((root) => root.id === id))
      .map((id) => `There is no evaluation run ${id}.`)
    const runs = { projectId, ids: roots.map(({ id }) => id) }
    const [page, summary] =
      roots.length === 0
        ? [[], asked.include_summary ? '{"row_count":0,"evaluations":[]}' : 'null']
        : await read.digested(runs, asked.include_rows || intersects(asked), (known) =>
            Promise.all([
              asked.include_rows ? read.rows<PageRow>(pageOfRows(runs, known, asked, [projectId])) : [],
              asked.include_summary ? summaryText(read, runs, roots, asked, known) : undefined,
            ]),
          )
    return this.text(asking, read, runs, page, summary ?? 'null', warnings)
  }

  private async *text(
    asking: Asking,
    read: Reading,
    runs: Runs,
    page: readonly PageRow[],
    summary: string,
    warnings: readonly string[],
  ): AsyncGenerator<Uint8Array> {
    const told = [...warnings]
    let before = '{"rows":['
    for (let from = 0; from < page.length; from += PIECE) {
      const { texts, unresolved } = await this.piece(asking, read, runs, page.slice(from, from + PIECE))
      if (unresolved && told.length === warnings.length)
        told.push('Some rows could not be read from their dataset; raw_data_row has their refs.')
      yield Buffer.from(before + texts.join(','))
      before = ','
    }
    const total = Number(page[0]?.total ?? 0)
    const head = page.length === 0 ? before : ''
    yield Buffer.from(
      `${head}],"total_rows":${total},"summary":${summary},"warnings":${JSON.stringify(told)}}`,
    )
  }

  private async piece(asking: Asking, read: Reading, runs: Runs, page: readonly PageRow[]) {
    const { asked, principal } = asking
    const keys = page.flatMap(({ trials }) => trials)
    const since = Math.min(...keys.map(([started]) => Number(started)))
    const ids = keys.map(([, id]) => id)
    const withChildren = asked.include_predict_and_score_children
    const [trials, children] = await Promise.all([
      read.rows<TrialRow>(trialsAt(runs, keys, asked.include_costs && !withChildren)),
      withChildren
        ? read.rows<ChildRow>(childrenOf(runs.projectId, ids, since, asked.include_costs))
        : undefined,
    ])
    const byId = new Map(trials.map((trial) => [trial.id, trial]))
    const below = children && byTrial(children)
    const rows = page.map(({ row, trials: ofRow }): RowParts => {
      const whole = [...new Set(ofRow.map(([, id]) => id))].flatMap((id) => byId.get(id) ?? [])
      whole.sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1))
      const first = whole[0]
      return {
        digest: row,
        data: asked.include_raw_data_rows && first ? dataOf(first) : undefined,
        trials: whole,
      }
    })
    const unresolved = asked.resolve_row_refs && (await this.resolve(rows, principal))
    return { texts: rows.map((row) => rowText(row, runs.ids, below)), unresolved }
  }

  /** Puts rows in place of their refs; true if any could not be read. */
  private async resolve(rows: RowParts[], principal: Principal): Promise<boolean> {
    const refs = rows.map(({ data }) => (data?.startsWith('"') ? String(JSON.parse(data)) : ''))
    const texts = await this.parts.resolve(refs.filter(isRef), principal)
    rows.forEach((row, i) => {
      row.data = texts.get(refs[i]!) ?? row.data
    })
    return refs.some((ref) => isRef(ref) && !texts.has(ref))
  }
}

function noIds(): ValidationError {
  const msg = 'Name at least one run in evaluation_call_ids or evaluation_run_ids'
  return new ValidationError([{ loc: ['body', 'evaluation_call_ids'], msg, type: 'too_small' }])
}

function byTrial(children: readonly ChildRow[]): Map<string, ChildRow[]> {
  const below = new Map<string, ChildRow[]>()
  for (const child of children) {
    const siblings = below.get(child.trial)
    if (siblings) siblings.push(child)
    else below.set(child.trial, [child])
  }
  return below
}

function dataOf({ inputs }: TrialRow): string {
  return jsonAt(inputs, ['example']) ?? 'null'
}

/** Whether the summary is about the rows that every run has. */
function intersects(asked: EvalResultsQuery): boolean {
  return asked.summary_require_intersection ?? asked.require_intersection
}

async function summaryText(
  read: Reading,
  runs: Runs,
  roots: readonly RunRoot[],
  asked: EvalResultsQuery,
  known: KnownRows,
): Promise<string> {
  const shared = intersects(asked)
  const scope = { runs, known, shared }
  const [totals, leaves, together] = await Promise.all([
    read.rows<RunTotals>(totalsOfRuns(scope)),
    read.rows<LeafTotals>(totalsOfLeaves(scope)),
    runs.ids.length > 1 ? read.rows<{ rows: number }>(countRows(scope)) : undefined,
  ])
  const models = roots.map(({ inputs }) => textAt(inputs, ['model'])).filter((model) => model !== '')
  const scorers = [...new Set(leaves.map(({ path }) => path[0]!))]
  const traces = [...new Set(roots.map(({ trace_id }) => trace_id))]
  const usage = await read.rows<UsageTotals>(
    totalsOfUsage(scope, traces, models, scorers, asked.include_costs),
  )
  const evaluations: EvaluationSummary[] = summariesOf(roots, totals, leaves, usage)
  return JSON.stringify({ row_count: Number((together ?? totals)[0]?.rows ?? 0), evaluations })
}

/** Statements of one answer, under its limits. */
class Reading {
  constructor(
    private readonly parts: ResultParts,
    private readonly signal: AbortSignal,
  ) {}

  rows<Row>(statement: Sql): Promise<Row[]> {
    const { store, limits } = this.parts
    return store.rows<Row>(statement, { limits, signal: this.signal, settings: READ_SETTINGS })
  }

  /**
   * Runs `work` without the digests of rows that nobody knows; where it met such rows, it is run again with them.
   * Mostly there are none: rows of datasets are named by theirs.
   * @param unsure of an answer without rows: whether it may be so because of digests that are missing
   */
  async digested<Rest>(
    runs: Runs,
    unsure: boolean,
    work: (known: KnownRows) => Promise<[PageRow[], Rest]>,
  ): Promise<[PageRow[], Rest]> {
    const first = await work(NO_ROWS)
    const [row] = first[0]
    if (row ? row.unknown === 0 : !unsure) return first
    const rows = await this.rows<{ hash: string; inputs: string }>(unknownRows(runs))
    if (rows.length === 0) return first
    return work({
      hashes: rows.map(({ hash }) => hash),
      digests: rows.map(({ inputs }) => digestOf(jsonAt(inputs, ['example']) ?? 'null')),
    })
  }
}

function digestOf(row: string): string {
  return objectDigest(refsToInternal(parseTree(row)))
}
