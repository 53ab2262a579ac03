import { expect, it } from 'vitest'
import { declaredRoutes } from './declared.js'
import { DESCRIPTIONS } from './descriptions.js'

const routes = await declaredRoutes()

it.each(['calls_query', 'dataset_create', 'op_list', 'score_read', 'evaluation_run_delete'])(
  'finds %s, also where it is one of a kind',
  (id) => expect(routes.get(id)).toMatchObject({ id }),
)

it('describes every route, and nothing else', () => {
  expect(Object.keys(DESCRIPTIONS).sort()).toEqual([...routes.keys()].sort())
})
