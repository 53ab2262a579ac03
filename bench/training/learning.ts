/** Checks that the recipes learn: toy tasks from scratch, with several seeds. */
import { execFileSync } from 'node:child_process'
import { demoModel, modelServer, modelServerPython } from '../../test/support/demo-model.js'
import type { Row } from '../figures.js'

/** What `model-server/bench/learning.py` says of one way to train. */
interface Learnt {
  what: string
  seeds: number
  /** of what is measured (`loss`, `reward`): at the beginning and at the end, the worst of the seeds */
  measure: string
  first: number
  last: number
  /** gradient steps, the most of the seeds */
  steps: number
}

/** One row per way to train. */
export function measureLearning(): Row[] {
  const args = ['bench/learning.py', '--model', demoModel()]
  const said = execFileSync(modelServerPython, args, { cwd: modelServer, encoding: 'utf8', timeout: 300_000 })
  return said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Learnt)
    .map(({ what, seeds, measure, first, last, steps }) => ({
      ...{ recipe: what, seeds, measure, 'at first': first, 'at last': last },
      'gradient steps at most': steps,
    }))
}
