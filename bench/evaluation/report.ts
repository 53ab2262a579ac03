/** Figures of evaluations as Markdown. Pure. */
import { short, table } from '../figures.js'
import { targetOf } from '../resources/report.js'
import type { EvaluationFigures } from './evaluation.js'

/** The part of a run's page. */
export function evaluationPart({ predictions, calls, fillSeconds, reads }: EvaluationFigures): string[] {
  return [
    '## Results of evaluations',
    `Two runs of ${short(predictions)} predictions with three scores each, ${short(calls)} calls, written in ${short(fillSeconds)} s. One request at a time:`,
    table(
      ['read', 'ms p50 / p99', 'target p50', 'requests', 'kB'],
      reads.map((one) => [
        one.name,
        `${short(one.p50)} / ${short(one.p99)}`,
        targetOf(one),
        String(one.requests),
        short(one.bytes / 1000),
      ]),
    ),
  ]
}
