/** Rules as the options of the command line say them. */
import { describe, expect, it } from 'vitest'
import { ruleOf, triggerOf } from './definition.js'

describe('the options of heddle rules', () => {
  it.each([
    ['< 3', '<', 3],
    ['>=0.5', '>=', 0.5],
    ['true', '=', true],
    ['!= good', '!=', 'good'],
  ])('a score that is %s', (is, comparison, value) => {
    expect(triggerOf({ on: 'score', feedback: 'review', is })).toEqual({
      ...{ type: 'score', feedback_type: 'review', comparison, value },
    })
  })

  it('say several actions, and a gate by score', () => {
    const gate = { min: ['exact.passed=0.8'], maxRegression: ['exact.passed=0.02', 'a=b=1'] }
    expect(
      ruleOf({ on: 'evaluation', of: 'questions', setAlias: 'production', notify: 'ops', ...gate }),
    ).toEqual({
      trigger: { type: 'evaluation', evaluation: 'questions' },
      actions: [
        {
          ...{ type: 'set_alias', alias: 'production' },
          gate: [
            { score: 'exact.passed', min: 0.8, max_regression: 0.02 },
            { score: 'a=b', max_regression: 1 },
          ],
        },
        { type: 'notify', channel: 'ops' },
      ],
      active: true,
    })
  })

  it.each([
    [{ on: 'call' }, 'say what to do'],
    [{ dataset: 'd' }, 'say what sets it off'],
    [{ on: 'score', queue: 'q' }, 'name the feedback'],
    [{ on: 'evaluation', setAlias: 'a', min: ['x=y'] }, 'not a number'],
    [{ on: 'call', dataset: 'd', column: ['question'] }, 'write name=value'],
  ])('%j is refused', (options, why) => {
    expect(() => ruleOf(options)).toThrow(why)
  })
})
