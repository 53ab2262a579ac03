import { expect, it } from 'vitest'
import type { Report } from './gate.js'
import { asJunit, asMarkdown, asText } from './report.js'

const HOSTILE = '| <script>@all [x](http://evil)\n\u0007`*_]]>&"'
const report: Report = {
  ...{ verdict: 'failed', project: 'a/b', evaluation: 'routing', rows: 40, confidence: 95, seed: 1 },
  run: { id: 'r2', model: 'new', trials: 40, failed_trials: 1 },
  baseline: { id: 'r1', model: 'old', trials: 40, failed_trials: 0 },
  page: 'http://heddle/compare',
  scores: [
    {
      ...{ score: 'right', verdict: 'failed', baseline: 0.9, run: 0.86, lower_is_better: false },
      ...{ limit: null, max_regression: 0, worse_by: 0.04, interval: { low: 0.01, high: 0.07 } },
      because: ['worse by 0.04, 95 % interval 0.01 to 0.07; 0 is allowed'],
      worse_rows: 30,
      worst_rows: [
        {
          ...{ row_digest: 'd', baseline: 1, run: 0, data: HOSTILE },
          ...{ baseline_output: 'yes', run_output: HOSTILE, page: 'http://heddle/call' },
        },
      ],
      page: 'http://heddle/compare?by=right',
    },
  ],
  notes: ['right is missing'],
}

it('is text, Markdown and XML, whatever rows say', () => {
  expect(asText(report)).toMatchInlineSnapshot(`
    "routing: new failed beside old, 40 rows

            SCORE  BASELINE  RUN   CHANGE
    FAILED  right  0.9       0.86  worse by 0.04, 95 % interval 0.01 to 0.07

    right: worse by 0.04, 95 % interval 0.01 to 0.07; 0 is allowed

    30 rows got worse by right
        | <script>@all [x](http://evil)
    �\`*_]]>&"  1 → 0  http://heddle/call

    note: right is missing

    failed: http://heddle/compare
    "
  `)
  expect(asMarkdown(report)).toMatchInlineSnapshot(`
    "### ❌ routing: new failed beside old, 40 rows

    |  | Score | Baseline | Run | Change |
    |---|---|---|---|---|
    | ❌ | right | 0.9 | 0.86 | worse by 0.04, 95 % interval 0.01 to 0.07 |

    - **right**: worse by 0.04, 95 % interval 0.01 to 0.07; 0 is allowed
    - right is missing

    <details><summary>30 rows got worse by right</summary>

    | Row | Baseline | Run | Answer before | Answer now |  |
    |---|---|---|---|---|---|
    | \\| &lt;script>@​all \\[x\\](http:​//evil) \\\`\\*\\_\\]\\]>&amp;" | 1 | 0 | yes | \\| &lt;script>@​all \\[x\\](http:​//evil) \\\`\\*\\_\\]\\]>&amp;" | [trace](http://heddle/call) |

    [All of them](http://heddle/compare?by=right)

    </details>

    [Compare the runs](http://heddle/compare)
    "
  `)
  expect(asJunit(report)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
    <testsuite name="heddle eval gate" tests="1" failures="1" errors="0">
    <testcase classname="heddle.routing" name="right"><failure message="worse by 0.04, 95 % interval 0.01 to 0.07; 0 is allowed">| &lt;script&gt;@all [x](http://evil)
    �\`*_]]&gt;&amp;&quot;: 1 → 0, http://heddle/call
    http://heddle/compare?by=right
    </failure></testcase>
    </testsuite>
    </testsuites>
    "
  `)
})

it('says in each form why a run was not judged', () => {
  const none = { verdict: 'not judged', project: 'a/b', reason: 'no "baseline"' } as const
  expect(asMarkdown(none)).toBe('### ❓ Not judged\n\nno "baseline"\n')
  expect(asJunit(none)).toContain('errors="1"')
  expect(asJunit(none)).toContain('<error message="no &quot;baseline&quot;"/>')
})
