/** A gate's report as text, Markdown and JUnit XML. Pure. */
import type { Confidence } from '../../domain/evaluation/bootstrap.js'
import { figure, statement } from '../../domain/evaluation/gate.js'
import { table } from '../table.js'
import type { Report, ScoreReport } from './gate.js'

/** Why a gate could not judge. */
export interface NotJudged {
  verdict: 'not judged'
  project: string
  reason: string
}

const HEADER = ['', 'Score', 'Baseline', 'Run', 'Change']

/** For a terminal. */
export function asText(report: Report): string {
  const { scores, notes, page, verdict } = report
  const rows = scores.map((score) => [
    score.verdict === 'failed' ? 'FAILED' : 'passed',
    ...cells(score, report),
  ])
  const reasons = scores.flatMap(({ score, because }) => because.map((one) => `${score}: ${one}\n`))
  const worse = scores.flatMap(({ score, worse_rows: count, worst_rows: worst }) =>
    count === 0
      ? []
      : [
          `\n${rowsWorse(count)} by ${score}\n`,
          table(
            worst.map((row) => ['  ', row.data, `${figure(row.baseline)} → ${figure(row.run)}`, row.page]),
          ),
        ],
  )
  return [
    `${title(report)}\n\n`,
    table([HEADER.map((one) => one.toUpperCase()), ...rows]),
    ...(reasons.length > 0 ? ['\n', ...reasons] : []),
    ...worse,
    ...(notes.length > 0 ? ['\n', ...notes.map((note) => `note: ${note}\n`)] : []),
    `\n${verdict}: ${page}\n`,
  ].join('')
}

/** For a pull request or a job's summary. */
export function asMarkdown(report: Report | NotJudged): string {
  if (report.verdict === 'not judged') return `### ❓ Not judged\n\n${plain(report.reason)}\n`
  const { scores, notes, page, verdict } = report
  const line = (texts: readonly string[]) => `| ${texts.map(cell).join(' | ')} |\n`
  const rows = scores.map((score) =>
    line([score.verdict === 'failed' ? '❌' : '✅', ...cells(score, report)]),
  )
  const worse = scores.flatMap(({ score, worse_rows: count, worst_rows: worst, page: by }) =>
    count === 0
      ? []
      : [
          `\n<details><summary>${rowsWorse(count)} by ${plain(score)}</summary>\n\n`,
          line(['Row', 'Baseline', 'Run', 'Answer before', 'Answer now', '']),
          '|---|---|---|---|---|---|\n',
          ...worst.map(
            (row) =>
              `${line([row.data, figure(row.baseline), figure(row.run), row.baseline_output, row.run_output]).trimEnd()} [trace](${row.page}) |\n`,
          ),
          `\n[${count > worst.length ? 'All of them' : 'Side by side'}](${by})\n\n</details>\n`,
        ],
  )
  return [
    `### ${verdict === 'failed' ? '❌' : '✅'} ${plain(title(report))}\n\n`,
    line(HEADER),
    '|---|---|---|---|---|\n',
    ...rows,
    '\n',
    ...scores.flatMap(({ score, because }) => because.map((one) => `- **${plain(score)}**: ${plain(one)}\n`)),
    ...notes.map((note) => `- ${plain(note)}\n`),
    ...worse,
    `\n[Compare the runs](${page})\n`,
  ].join('')
}

/** A test case per score, as CI systems read it. */
export function asJunit(report: Report | NotJudged): string {
  const suite = (tests: number, failures: number, errors: number, cases: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="heddle eval gate" tests="${tests}" failures="${failures}" errors="${errors}">\n${cases}</testsuite>\n</testsuites>\n`
  if (report.verdict === 'not judged')
    return suite(
      1,
      0,
      1,
      `<testcase classname="heddle.${xml(report.project)}" name="gate"><error message="${xml(report.reason)}"/></testcase>\n`,
    )
  const failed = report.scores.filter(({ verdict }) => verdict === 'failed')
  const cases = report.scores.map((score) => {
    const open = `<testcase classname="heddle.${xml(report.evaluation)}" name="${xml(score.score)}"`
    const [, , , change] = cells(score, report)
    if (score.verdict !== 'failed') return `${open}><system-out>${xml(change!)}</system-out></testcase>\n`
    const rows = score.worst_rows.map(
      (row) => `${row.data}: ${figure(row.baseline)} → ${figure(row.run)}, ${row.page}\n`,
    )
    return `${open}><failure message="${xml(score.because.join('; '))}">${xml(`${rows.join('')}${score.page}\n`)}</failure></testcase>\n`
  })
  return suite(report.scores.length, failed.length, 0, cases.join(''))
}

function title({ verdict, evaluation, run, baseline, rows }: Report): string {
  return `${evaluation}: ${run.model} ${verdict} beside ${baseline.model}, ${rows} ${rows === 1 ? 'row' : 'rows'}`
}

/** The cells after the verdict. */
function cells(
  { score, baseline, run, worse_by: by, interval }: ScoreReport,
  { confidence }: Report,
): string[] {
  return [
    score,
    figure(baseline),
    figure(run),
    statement(by, interval ?? undefined, confidence as Confidence),
  ]
}

function rowsWorse(count: number): string {
  return count === 1 ? '1 row got worse' : `${count.toLocaleString('en-US')} rows got worse`
}

/** Text of others in a cell of a Markdown table. */
function cell(text: string): string {
  return plain(text).replaceAll('|', '\\|')
}

/** Text of others in Markdown: one line, without markup, mentions or links. */
function plain(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]#!~]/g, '\\$&')
    .replaceAll('@', '@\u200b')
    .replaceAll('://', ':\u200b//')
}

/** Text in XML; characters that XML can't have are replaced. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
