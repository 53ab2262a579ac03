/** Runs of evaluations: lists them, finds one, waits for its end. */
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../command.js'
import { ask, jsonLines, projectNamed, projectPath, readJson, sendJson, type Target } from '../http-client.js'
import { Progress } from '../progress.js'

export interface Run {
  evaluation_run_id: string
  evaluation: string
  model: string
  status: 'running' | 'completed' | 'failed' | null
  started_at: string | null
  finished_at: string | null
}

interface Running {
  code: 'running'
  completed_rows: number
  total_rows: number
}
type Status =
  | Running
  | { code: 'not_found' }
  | { code: 'failed'; error: string | null }
  | { code: 'complete'; output: Record<string, unknown> }

const POLL_MS = 500

/** All of a project, or those of these models, oldest first. */
export async function runsOf(to: Target, project: string, models: readonly string[] = []): Promise<Run[]> {
  const query = new URLSearchParams(models.map((model): [string, string] => ['models', model]))
  return jsonLines<Run>(
    await ask(to, 'GET', `${projectPath(projectNamed(project), 'evaluation_runs')}?${query}`),
  )
}

/** @throws AnswerError if there is none with this id */
export function readRun(to: Target, project: string, id: string): Promise<Run> {
  return readJson<Run>(to, projectPath(projectNamed(project), `evaluation_runs/${encodeURIComponent(id)}`))
}

/** How far it is. */
async function statusOf(to: Target, project: string, id: string): Promise<Status> {
  const asked = { project_id: projectNamed(project), call_id: id }
  return (await sendJson<{ status: Status }>(to, '/evaluations/status', asked)).status
}

/**
 * Waits until a run has ended, with a bar on standard error. After an interrupt the run goes on.
 * @param minutes how long to wait at most
 * @returns its summary
 * @throws CommandError if it failed, is gone, or takes longer
 */
export async function whenEnded(
  to: Target,
  project: string,
  id: string,
  minutes: number,
): Promise<Record<string, unknown>> {
  const until = Date.now() + minutes * 60_000
  let progress: Progress | undefined
  let total = 0
  for (;;) {
    const status = await statusOf(to, project, id)
    switch (status.code) {
      case 'complete':
        progress?.end(total)
        return status.output
      case 'failed':
        throw new CommandError(`the run ${id} failed: ${status.error ?? ''}`)
      case 'not_found':
        throw new CommandError(`run not found: ${id}; \`heddle eval list ${project}\` lists runs`, 2)
      case 'running':
        total = status.total_rows
        progress ??= new Progress('rows', total)
        progress.at(status.completed_rows)
    }
    if (Date.now() > until)
      throw new CommandError(
        `the run ${id} has not ended after ${minutes} minutes; it goes on (--timeout)`,
        2,
      )
    await pause(POLL_MS)
  }
}
