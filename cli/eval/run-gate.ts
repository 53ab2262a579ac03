/** The edge of `heddle eval gate`: starts a run if it is to, writes the reports, and chooses the status. */
import { writeFileSync } from 'node:fs'
import { CommandError, failure } from '../command.js'
import type { Target } from '../http-client.js'
import { unwritable } from '../named-file.js'
import { wholeNumber } from '../option-values.js'
import { say } from '../subcommand.js'
import { gate, type Report } from './gate.js'
import { asJunit, asMarkdown, asText, type NotJudged } from './report.js'
import { begin, type StartOptions, startsRun } from './start.js'
import { type ThresholdOptions, thresholdsOf } from './thresholds.js'

type Options = StartOptions &
  ThresholdOptions & { timeout: string; markdown?: string; junit?: string; json?: boolean }

/** Could not be judged: not the run's fault. */
const NOT_JUDGED = 2

/** @returns what to print, and 0, 1 if a score failed, or 2 with an error if it could not be judged */
export async function runGate(
  target: () => Promise<Target>,
  project: string,
  run: string | undefined,
  options: Options,
): Promise<{ out: string; status: number; error?: string }> {
  try {
    const report = await judged(target, project, run, options)
    return { out: written(report, options), status: report.verdict === 'failed' ? 1 : 0 }
  } catch (error) {
    const { text } = failure(error)
    const report = { verdict: 'not judged', project, reason: text.replace(/^heddle: /, '') } as const
    try {
      return { out: written(report, options), status: NOT_JUDGED, error: text }
    } catch (also) {
      return { out: '', status: NOT_JUDGED, error: `${text}\n${failure(also).text}` }
    }
  }
}

async function judged(
  target: () => Promise<Target>,
  project: string,
  run: string | undefined,
  options: Options,
): Promise<Report> {
  if ((run === undefined) === !startsRun(options))
    throw new CommandError('give either a run, or what to run, such as --dataset, --scorer and --model', 2)
  const thresholds = await thresholdsOf(options)
  const minutes = wholeNumber('--timeout', options.timeout)
  const to = await target()
  const id = run ?? (await begin(to, project, options))
  if (run === undefined) say(`run ${id}`)
  return gate(to, project, id, thresholds, minutes)
}

/** Writes the files. @returns what belongs on standard output */
function written(report: Report | NotJudged, { markdown, junit, json }: Options): string {
  const files = [
    [markdown, asMarkdown],
    [junit, asJunit],
  ] as const
  let out = ''
  for (const [file, text] of files) {
    if (file === '-') out += text(report)
    else if (file !== undefined) write(file, text(report))
  }
  if (json) return `${out}${JSON.stringify(report, undefined, 2)}\n`
  return out === '' && report.verdict !== 'not judged' ? asText(report) : out
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw unwritable(file, error)
  }
}
