/** What the address of a comparison holds. Pure. */

export interface CompareSearch {
  /** ids of runs; the first is what the others are compared with */
  runs?: string | undefined
  /** the score that rows are sorted by */
  by?: string | undefined
  /** of these scores, less is better */
  lower?: string | undefined
  /** only rows on which a run does worse */
  worse?: true | undefined
}

export const MOST_RUNS = 8

export function readCompareSearch(given: Record<string, unknown>): CompareSearch {
  return {
    ...(runsIn(given).length > 0 && { runs: runsIn(given).slice(0, MOST_RUNS).join(',') }),
    ...(typeof given.by === 'string' && { by: given.by }),
    ...(typeof given.lower === 'string' && { lower: given.lower }),
    ...((given.worse === true || given.worse === 'true') && { worse: true as const }),
  }
}

/** Also as the links of other pages name them: a list. */
function runsIn({ runs, evaluationCallIds }: Record<string, unknown>): string[] {
  const found = runs ?? evaluationCallIds
  if (Array.isArray(found)) return found.map(String)
  return typeof found === 'string' ? found.split(',').filter((id) => id !== '') : []
}
