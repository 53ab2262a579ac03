/** Runs of evaluations as the routes show them, for code that goes on with them. */
import type { CallReader } from '../../domain/calls/read/reader.js'
import type { ComparedRun } from '../../domain/evaluation/baseline.js'
import { collect } from '../../platform/bytes/collect.js'
import { type RunFilter, runList } from './views.js'

export interface RunView extends ComparedRun {
  /** ref, or what its caller called it */
  model: string
}

/** The oldest first. @param projectId internal */
export async function runViews(
  reader: CallReader,
  projectId: string,
  filter: Partial<RunFilter>,
): Promise<RunView[]> {
  const every = { ids: [], models: [], evaluations: [], ...filter }
  const { signal } = new AbortController()
  const lines = await reader.lines(runList(projectId, every, { limit: null, offset: null }), signal, true)
  const text = (await collect(lines)).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunView)
}
