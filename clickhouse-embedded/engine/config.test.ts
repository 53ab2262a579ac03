import { expect, it } from 'vitest'
import { engineConfig } from './config.js'

/** The engine reads this one from its configuration alone; no statement shows it. */
it('a table that nobody writes to is looked at often enough to remove what merges replaced', () => {
  const name = 'background_processing_pool_task_sleep_seconds_when_no_work_max'
  const [, seconds] = new RegExp(`<${name}>(\\d+)</${name}>`).exec(engineConfig(1e9))!
  expect(Number(seconds)).toBeLessThanOrEqual(30)
})
