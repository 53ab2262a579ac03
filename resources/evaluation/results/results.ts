/**
 * Answers the results of evaluation runs, side by side. The store computes the rows and the summaries of scores; calls
 * are read only for the rows of a page, a few at a time.
 */

import type { EvalResultsQuery } from '../../../contract/evaluation-results.js'
import { isRef } from '../../../domain/refs/expand.js'
import { groupBy } from '../../../platform/batch/group-by.js'
import { piecesOf } from '../../../platform/batch/pieces.js'
import { ValidationError } from '../../../platform/errors/error.js'
import type { Principal } from '../../../platform/http/principal.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Parts } from '../../parts.js'
import { jsonAt, textAt } from '../call-row.js'
import { nameless, type RowParts, rowText } from './assemble.js'
import { type ChildRow, childrenOf, type Detail, selvesOf, type TrialRow, trialsAt } from './detail.js'
import { countOfRows, type PageRow, pageOfRows, type RowCount } from './page.js'
import { type Page, Reading } from './reading.js'
import { summaryOf } from './summarize.js'
import { type KnownRows, type RunRoot, type Runs, runRoots } from './trials.js'

export interface Asking {
  project: string
  principal: Principal
  asked: EvalResultsQuery
  signal: AbortSignal
}

/** JSON texts of rows, and whether some of their data could not be read. */
interface PieceTexts {
  texts: string[]
  unresolved: boolean
}

/** The most rows whose calls are held at once, and their bytes; the rows of a piece are scattered over the store. */
const PIECE = { items: 5000, bytes: 32 << 20 }

export class EvaluationResults {
  constructor(private readonly parts: Parts) {}

  /** JSON text of the answer in pieces. @throws 422 without ids or for unknown fields */
  async answer(asking: Asking): Promise<AsyncIterable<Uint8Array>> {
    const { asked, project } = asking
    const ids = [...new Set([...(asked.evaluation_call_ids ?? []), ...(asked.evaluation_run_ids ?? [])])]
    if (ids.length === 0) throw noIds(asked)
    const read = new Reading(this.parts.store, this.parts.limits, asking.signal)
    const projectId = projectIdOf(project)
    const stored = await read.rows<RunRoot>(runRoots({ projectId, ids }))
    const roots = ids.flatMap((id) => stored.filter((root) => root.id === id))
    const warnings = ids
      .filter((id) => !roots.some((root) => root.id === id))
      .map((id) => `Evaluation run ${id} not found.`)
    if (roots.length === 0) return nothing(asked, warnings)
    const runs = { projectId, ids: roots.map(({ id }) => id) }
    const known = { marked: roots.some(({ own }) => own === 1), hashes: [], digests: [] }
    const found = await read.digested(runs, known, async (rows) => {
      const shared = intersects(asked)
      const pages = pageOf(read, runs, rows, asked)
      const counted = pages.then(({ total }) => (countsAll(asked) ? total : undefined))
      // If the page fails, its error is the answer; the count's error must not be unhandled.
      counted.catch(() => undefined)
      // Read the calls of the first rows while the summary is computed.
      const first = pages.then(({ rows: left, unknown }) => {
        const [piece] = unknown ? [] : pieces(left)
        return piece && this.piece(asking, read, roots, piece)
      })
      first.catch(() => undefined)
      const [page, summary] = await Promise.all([
        pages,
        asked.include_summary
          ? summaryOf(read, { runs, known: rows, shared }, roots, asked.include_costs, counted)
          : 'null',
      ])
      return { ...page, summary, first }
    })
    return this.text(asking, read, roots, found, warnings)
  }

  private async *text(
    asking: Asking,
    read: Reading,
    roots: readonly RunRoot[],
    { rows, total, summary, first }: Page & { summary: string; first: Promise<PieceTexts | undefined> },
    warnings: readonly string[],
  ): AsyncGenerator<Uint8Array> {
    const told = [...warnings]
    let before = '{"rows":['
    for (const piece of pieces(rows)) {
      const early = before === ',' ? undefined : await first
      const { texts, unresolved } = early ?? (await this.piece(asking, read, roots, piece))
      if (unresolved && told.length === warnings.length)
        told.push('Some rows could not be read from their dataset; raw_data_row has their refs.')
      yield Buffer.from(before + texts.join(','))
      before = ','
    }
    const head = rows.length === 0 ? before : ''
    yield Buffer.from(
      `${head}],"total_rows":${total},"summary":${summary},"warnings":${JSON.stringify(told)}}`,
    )
  }

  private async piece(
    asking: Asking,
    read: Reading,
    roots: readonly RunRoot[],
    page: readonly PageRow[],
  ): Promise<PieceTexts> {
    const { asked, principal } = asking
    const runs = { projectId: projectIdOf(asking.project), ids: roots.map(({ id }) => id) }
    const keys = page.flatMap(({ trials }) => trials)
    const since = Math.min(...keys.map(([started]) => started))
    const ids = keys.map(([, id]) => id)
    const withChildren = asked.include_predict_and_score_children
    const detail: Detail = {
      data: asked.include_raw_data_rows,
      marks: roots.some(({ own }) => own === 1),
      usage: !withChildren,
      costs: asked.include_costs,
    }
    const [trials, children] = await Promise.all([
      read.rows<TrialRow>(trialsAt(runs, keys, detail)),
      withChildren ? read.rows<ChildRow>(childrenOf(runs.projectId, ids, since, detail)) : undefined,
    ])
    const byId = new Map(trials.map((trial) => [trial.id, trial]))
    const below = children && groupBy(children, ({ trial }) => trial)
    const selves = below ? await selvesIn(read, runs.projectId, nameless(trials, below)) : new Map()
    const models = new Map(roots.map(({ id, inputs }) => [id, textAt(inputs, ['model'])]))
    const rows = page.map(({ row, trials: ofRow }): RowParts => {
      const whole = [...new Set(ofRow.map(([, id]) => id))].flatMap((id) => byId.get(id) ?? [])
      whole.sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1))
      const [first] = whole
      return { digest: row, data: detail.data && first ? dataOf(first) : undefined, trials: whole }
    })
    const unresolved = asked.resolve_row_refs && (await this.resolve(rows, principal))
    return { texts: rows.map((row) => rowText(row, models, below, selves)), unresolved }
  }

  /** Replaces refs by their rows. @returns true if any could not be read */
  private async resolve(rows: RowParts[], principal: Principal): Promise<boolean> {
    const refs = rows.map(({ data }) => (data?.startsWith('"') ? String(JSON.parse(data)) : ''))
    const texts = await this.parts.resolve(refs.filter(isRef), principal)
    rows.forEach((row, i) => {
      row.data = texts.get(refs[i]!) ?? row.data
    })
    return refs.some((ref) => isRef(ref) && !texts.has(ref))
  }
}

function noIds({ evaluation_run_ids }: EvalResultsQuery): ValidationError {
  const field = evaluation_run_ids === null ? 'evaluation_call_ids' : 'evaluation_run_ids'
  const msg = 'Name at least one run in evaluation_call_ids or evaluation_run_ids'
  return new ValidationError([{ loc: ['body', field], msg, type: 'too_small' }])
}

function dataOf({ inputs }: TrialRow): string {
  return jsonAt(inputs, ['example']) ?? 'null'
}

/** Whether the summary covers exactly the rows of all pages. */
function countsAll(asked: EvalResultsQuery): boolean {
  return (asked.filters ?? []).length === 0 && asked.require_intersection === intersects(asked)
}

const pieces = (rows: readonly PageRow[]) => piecesOf(rows, ({ bytes }) => bytes, PIECE)

/** Whether the summary covers only the rows that every run has. */
function intersects(asked: EvalResultsQuery): boolean {
  return asked.summary_require_intersection ?? asked.require_intersection
}

async function pageOf(read: Reading, runs: Runs, known: KnownRows, asked: EvalResultsQuery): Promise<Page> {
  const rows =
    asked.include_rows && asked.limit !== 0
      ? await read.rows<PageRow>(pageOfRows(runs, known, asked, [runs.projectId]))
      : []
  // A page without rows has no counts.
  const [first] =
    rows.length > 0 ? rows : await read.rows<RowCount>(countOfRows(runs, known, asked, [runs.projectId]))
  return { rows, total: Number(first?.total ?? 0), unknown: Number(first?.unknown ?? 0) > 0 }
}

async function selvesIn(
  read: Reading,
  projectId: string,
  calls: readonly ChildRow[],
): Promise<Map<string, string>> {
  if (calls.length === 0) return new Map()
  const rows = await read.rows<{ id: string; self: string }>(selvesOf(projectId, calls))
  return new Map(rows.map(({ id, self }) => [id, self]))
}

async function* nothing(asked: EvalResultsQuery, warnings: readonly string[]): AsyncGenerator<Uint8Array> {
  const summary = asked.include_summary ? '{"row_count":0,"evaluations":[]}' : 'null'
  yield Buffer.from(`{"rows":[],"total_rows":0,"summary":${summary},"warnings":${JSON.stringify(warnings)}}`)
}
