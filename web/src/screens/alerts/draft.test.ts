import { describe, expect, it } from 'vitest'
import type { Alert } from '../../api/alerts'
import { definitionOf, draftOf, NEW, PRESETS, previewOf, SOURCES, savedOf } from './draft'

const project = 'acme/shop'
const refs = ['weave:///acme/shop/op/answer:*', 'weave:///acme/shop/op/my%20op:*']

const saved: Alert = {
  ...{ name: 'errors', description: null, window_seconds: 900, comparison: '>', alert_at: 0.05 },
  ...{ warn_at: null, minimum_count: 10, no_data: 'ok', renotify_minutes: null, message: null },
  ...{ channels: ['hook'], quiet_hours: [], active: true, source: SOURCES.calls },
  ...{ state: 'ok', groups: [], checked_at: null, value: null, muted_until: null, problem: null },
}

const onOps = (...op_names: string[]): Alert =>
  ({ ...saved, source: { ...SOURCES.calls, filter: { op_names } } }) as Alert

describe('an alert that is edited', () => {
  it.each<[string, Alert, string]>([
    ['of all ops', saved, ''],
    ['of ops by their names', onOps('answer', refs[0]!, refs[1]!, 'my op'), 'answer, my op'],
    ['of a version', onOps('weave:///acme/shop/op/answer:v1'), 'weave:///acme/shop/op/answer:v1'],
    ['of a name alone', onOps('answer'), 'answer'],
  ])('%s is saved as it was', (_, alert, ops) => {
    const draft = draftOf(project, alert)
    expect(draft.ops).toBe(ops)
    expect(savedOf(project, draft)).toEqual(definitionOf(project, alert))
  })

  it('is of any version of the ops that are named', () => {
    const ops = ' answer ,, my op'
    expect(savedOf(project, { ...draftOf(project, saved), ops })!.source).toEqual({
      ...SOURCES.calls,
      filter: { op_names: [refs[0], 'answer', refs[1], 'my op'] },
    })
    const none = savedOf(project, { ...draftOf(project, onOps('answer')), ops: '' })
    expect(none!.source).toMatchObject({ filter: { op_names: null } })
  })
})

it('is not sent before it is whole', () => {
  expect(savedOf(project, { ...NEW, alert_at: null })).toBeUndefined()
  for (const source of [SOURCES.feedback, { ...SOURCES.sql, query: ' ' }])
    expect(savedOf(project, { ...NEW, source })).toBeUndefined()
})

it('a preview is of as many windows as may be read', () => {
  const windows = (name: string, window_seconds: number) => {
    const preset = PRESETS[name]!
    return previewOf(project, { ...NEW, ...preset, window_seconds })!.windows
  }
  expect(windows('Error rate', 900)).toBe(60)
  expect(windows('Error rate', 86_400)).toBe(31)
  expect(windows('Error rate', 2_678_400)).toBe(1)
  expect(windows('Failed training jobs (SQL)', 60)).toBe(12)
})
