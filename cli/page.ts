/** Addresses of pages on a server. */
import type { Target } from './http-client.js'

/** Of a screen of a project: `evaluations`, `traces`. */
export function pageOf({ url }: Target, project: string, ...parts: readonly string[]): string {
  return `${url}/${[...project.split('/'), 'weave', ...parts].map(encodeURIComponent).join('/')}`
}

/** Of a call with its trace. */
export function callPage({ url }: Target, project: string, id: string): string {
  return `${url}/${[...project.split('/'), 'r', 'call', id].map(encodeURIComponent).join('/')}`
}

/** Of runs side by side; the first is what the others are compared with. @param by the path of a score */
export function comparisonPage(to: Target, project: string, runs: readonly string[], by?: string): string {
  const query = new URLSearchParams({
    runs: runs.join(','),
    ...(by !== undefined && { by: `scores.${by}`, worse: 'true' }),
  })
  return `${pageOf(to, project, 'evaluations', 'compare')}?${query}`
}
