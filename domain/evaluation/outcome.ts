/**
 * What a run of an evaluation made of a row. Shares are of all trials that ended, as in what the SDKs and the server
 * print: a trial without the score did not pass. The pages use this file, too. Pure.
 */

/** A score is a share of trials that passed, or a mean of numbers. */
export type ScoreKind = 'share' | 'mean'

/** As summaries of results have them. */
interface ScoreStats {
  scorer_key: string
  path: string | null
  value_type: 'binary' | 'continuous' | 'text' | null
}

/** The scores that any of the runs has, by the path that names them; texts can't be compared. */
export function scoresOf(stats: readonly ScoreStats[]): Map<string, ScoreKind> {
  const scores = new Map<string, ScoreKind>()
  for (const { scorer_key: scorer, path, value_type: type } of stats) {
    if (type === 'text' || type === null) continue
    scores.set(path === null ? scorer : `${scorer}.${path}`, type === 'binary' ? 'share' : 'mean')
  }
  return scores
}

export interface Trial {
  ended: boolean
  /** by scorer; {}: its model or scorers failed */
  scores: Readonly<Record<string, unknown>>
}

/** A row of results: the trials of it in each run. */
interface ResultRow<OneTrial extends Trial> {
  evaluations: readonly { evaluation_call_id: string; trials: readonly OneTrial[] }[]
}

/** The trials of a row that ended in a run. */
export function endedTrials<OneTrial extends Trial>(
  { evaluations }: ResultRow<OneTrial>,
  run: string,
): OneTrial[] {
  const found = evaluations.find((one) => one.evaluation_call_id === run)
  return (found?.trials ?? []).filter(({ ended }) => ended)
}

const PAGE = 500

/** Pages of results, until all rows were seen. @param read a page of so many rows, from an offset on */
export async function* resultPages<Page extends { rows: readonly unknown[]; total_rows: number }>(
  read: (page: { limit: number; offset: number }) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let seen = 0; ; ) {
    const page = await read({ limit: PAGE, offset: seen })
    yield page
    seen += page.rows.length
    if (page.rows.length === 0 || seen >= page.total_rows) return
  }
}

/** The trials of a row that ended. */
export interface Tally {
  ended: number
  /** those that have the score */
  scored: number
  /** of the scores; true is 1 */
  sum: number
  /** the lowest and the highest score; without any, infinite */
  least: number
  most: number
}

/** @param score its path: scorer, and keys inside its score, joined by dots */
export function tallyOf(trials: readonly Trial[], score: string): Tally {
  const ended = trials.filter((trial) => trial.ended)
  const values = ended.flatMap(({ scores }) => numberAt(scores, score) ?? [])
  const sum = values.reduce((all, value) => all + value, 0)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return { ended: ended.length, scored: values.length, sum, least, most }
}

export interface Outcome {
  /** of the trials; of a share, those without the score count as 0; undefined: none has it */
  value: number | undefined
  /** the share of trials that ended without the score */
  missing: number
}

/** undefined: no trial ended. */
export function outcomeOf({ ended, scored, sum }: Tally, kind: ScoreKind): Outcome | undefined {
  if (ended === 0) return undefined
  return {
    value: scored === 0 ? undefined : sum / (kind === 'share' ? ended : scored),
    missing: 1 - scored / ended,
  }
}

/** Names of scorers may have dots, so each part may be the beginning of the next key. */
function numberAt(value: unknown, path: string): number | undefined {
  if (path === '')
    return typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (path !== key && !path.startsWith(`${key}.`)) continue
    const found = numberAt(inner, path.slice(key.length + 1))
    if (found !== undefined) return found
  }
  return undefined
}
