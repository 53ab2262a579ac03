/** Runs of evaluations: lists them, finds one, waits for its end. */
import { setTimeout as pause } from 'node:timers/promises'
import { runs } from '../../contract/evaluation-runs.js'
import { evaluationStatus } from '../../contract/evaluation-server.js'
import { nameIn } from '../../domain/refs/op-name.js'
import { CommandError } from '../command.js'
import { type AnswerTo, answerFor, answerIn } from '../contract-client.js'
import { ask, jsonLines, projectPath, type Target } from '../http-client.js'
import { wholeNumber } from '../option-values.js'
import { Progress } from '../progress.js'
import { list, type Shown, timeText } from '../shown.js'

export type Run = AnswerTo<typeof runs.read>

const POLL_MS = 500

/** All of a project, or those of these models, oldest first. */
export async function runsOf(to: Target, project: string, models: readonly string[] = []): Promise<Run[]> {
  const query = new URLSearchParams(models.map((model): [string, string] => ['models', model]))
  return jsonLines<Run>(await ask(to, 'GET', `${projectPath(project, 'evaluation_runs')}?${query}`))
}

/** The newest first. */
export async function runList(to: Target, project: string, { limit }: { limit: string }): Promise<Shown> {
  const most = wholeNumber('--limit', limit)
  const newest = (await runsOf(to, project)).reverse().slice(0, most)
  return list(
    newest,
    ['STARTED', 'RUN', 'EVALUATION', 'MODEL', 'STATUS'],
    (run) => [
      timeText(run.started_at ?? ''),
      ...[run.evaluation_run_id, nameIn(run.evaluation), nameIn(run.model), run.status ?? ''],
    ],
    'no runs',
  )
}

/** @throws AnswerError if there is none with this id */
export function readRun(to: Target, project: string, id: string): Promise<Run> {
  return answerFor(to, project, runs.read, undefined, { evaluation_run_id: id })
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
    const { status } = await answerIn(to, project, evaluationStatus, { call_id: id })
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
