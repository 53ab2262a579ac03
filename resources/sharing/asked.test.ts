import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  callOf,
  callsOf,
  feedbackOf,
  firstCallOf,
  ofKind,
  refsOf,
  resultsOf,
  runOf,
  usageOf,
} from './asked.js'

const share = fc.record({
  project: fc.constantFrom('acme/one', 'acme/o ne'),
  target: fc.string({ minLength: 1 }),
})
const given = fc.oneof(fc.string(), fc.constantFrom('acme/two', '*', "' OR 1=1 --", '{"$literal":1}', '../x'))

it('whatever is given with a link, its project and its thing are asked for, and no other', () => {
  fc.assert(
    fc.property(share, given, fc.nat(100), fc.nat(), (link, id, limit, offset) => {
      const { project, target } = link
      for (const body of [
        callsOf(link),
        usageOf(link),
        callOf(link, id),
        firstCallOf(link, true),
        firstCallOf(link, false),
      ]) {
        expect(body.project_id).toBe(project)
        expect(body.filter.trace_ids).toEqual([target])
        expect(Object.keys(body).filter((key) => key === 'query' || key.startsWith('expand'))).toEqual([])
      }
      expect(callOf(link, id).filter.call_ids).toEqual([id])
      expect(ofKind(link, 'tool')).toMatchObject({ project_id: project, filter: { trace_ids: [target] } })
      expect([runOf(link).project_id, runOf(link).filter.call_ids]).toEqual([project, [target]])
      const { params, body } = resultsOf(link, { limit, offset })
      expect(`${params.entity}/${params.project}`).toBe(project)
      expect([body.evaluation_call_ids, 'filters' in body]).toEqual([[target], false])
      const feedback = feedbackOf(link, id)
      const [field, { $literal: ref }] = feedback.query.$expr.$eq
      expect([feedback.project_id, field]).toEqual([project, { $getField: 'weave_ref' }])
      const [entity = '', name = ''] = project.split('/').map(encodeURIComponent)
      expect(
        ref.startsWith(`weave:///${entity}/${name}/call/`) || ref.startsWith(`weave:///${project}/call/`),
      ).toBe(true)
    }),
  )
})

it('of what a call names, only objects of the project of the link are read', () => {
  const own = 'weave:///acme/one/object/bot:x/attr/system'
  const others = [
    'weave:///acme/two/object/bot:x/attr/system',
    'weave:///acme/one-more/object/bot:x/attr/system',
    'weave:///globex/one/object/bot:x/attr/system',
  ]
  expect(refsOf({ project: 'acme/one', target: 't' }, [own, ...others], 10).refs).toEqual([own])
})
