/** The values that scorers gave lately, as fields of calls: to count, to choose from, and to show. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { feedbackPathsQuery, feedbackTypesQuery } from '../../api/dashboards'
import { scoreTitle } from './columns'
import type { Counted } from './data'

/** What is counted: a field of the list, or a score. */
export interface Facet extends Counted {
  id: string
  title: string
  type: string
}

/** Types of feedback whose values are offered. */
const TYPES = 5
const SCORED_MS = 30 * 86_400_000
/** They have fields of the list, or are of no interest. */
const OTHERS = /\.(reaction|note)\.1$/

/** Those of the last month. @param isReady false: nothing is read yet */
export function useScores(project: string, isReady: boolean): Facet[] {
  const { data: types = [] } = useQuery({ ...feedbackTypesQuery(project), enabled: isReady })
  const scored = types.filter((type) => !OTHERS.test(type)).slice(0, TYPES)
  return useQueries({
    queries: scored.map((type) => ({ ...feedbackPathsQuery(project, type, SCORED_MS), enabled: isReady })),
    combine: (results) =>
      results.flatMap(({ data: paths = [] }, i) =>
        paths.map(({ json_path: path, value_type: kind }): Facet => {
          const type = scored[i]!
          return {
            id: `feedback.[${type}].payload.${path}`,
            path: `feedback.[${type}].payload.${path}`,
            title: scoreTitle(type, path),
            type: 'number',
            kind: kind === 'numeric' ? 'numbers' : 'values',
          }
        }),
      ),
  })
}
