import { expect, it } from 'vitest'
import { sharedTestEngine } from '../testing/engine.js'
import { PASSING_ERRORS } from './passing-errors.js'
import { bind, sql } from './sql.js'

it('errors have the codes that the engine knows by their names', async () => {
  const engine = await sharedTestEngine()
  const store = await engine.database('errors')
  const codes = bind.ints(Object.values(PASSING_ERRORS))
  const names = await store.value<string[]>(
    sql`SELECT arrayMap(code -> errorCodeToName(toInt32(code)), ${codes})`,
  )
  expect(names).toEqual(Object.keys(PASSING_ERRORS))
  await engine.stop()
})
