import type { Metrics } from '../../platform/telemetry/metrics.js'

/** Counts matches of rules. */
export function maskedCounter(metrics: Metrics): (rule: string, matches: number) => void {
  const masked = metrics.counter(
    'masked_total',
    'Matches of masking rules in texts before they were stored.',
    ['rule'],
  )
  return (rule, matches) => masked.inc({ rule }, matches)
}
