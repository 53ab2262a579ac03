import { expect, it } from 'vitest'
import { AlertDefinition } from '../../contract/alerts.js'
import type { Change } from './judge.js'
import { checkTemplate, durationText, endedText, textOf } from './message.js'

const definition = AlertDefinition.parse({
  source: { type: 'calls', metric: 'total_cost', aggregation: 'sum', group_by: 'user' },
  ...{ alert_at: 10, warn_at: 5, window_seconds: 86_400 },
})
const about = { project: 'acme/app', name: 'spend', definition, url: 'https://heddle.example.com/a' }
const change: Change = {
  ...{ id: 'i', group: 'ann', state: 'alert', previous: 'ok', value: 12.3456789, threshold: 10 },
  ...{ isNotified: true, reason: '', at: 0 },
}

it('says what happened in a sentence', () => {
  const texts = [
    change,
    { ...change, state: 'warning' as const, value: 6, threshold: 5 },
    { ...change, previous: 'alert' as const },
    { ...change, state: 'ok' as const, value: 1 },
    { ...change, state: 'ok' as const, value: null },
    { ...change, group: '', state: 'no_data' as const, value: null },
  ].map((one) => textOf(about, one))
  expect(texts).toEqual([
    'Alert: spend (acme/app, user ann): sum of total_cost is 12.3457, > 10, over 1 day.',
    'Warning: spend (acme/app, user ann): sum of total_cost is 6, > 5, over 1 day.',
    'Alert: spend (acme/app, user ann): sum of total_cost is 12.3457 still, > 10, over 1 day.',
    'Resolved: spend (acme/app, user ann): sum of total_cost is 1, no longer > 10.',
    'Resolved: spend (acme/app, user ann): there is too little in 1 day to judge sum of total_cost.',
    'No data: spend (acme/app): too little in 1 day to judge sum of total_cost.',
  ])
  const where = { project: 'acme/app', name: 'spend', grouping: 'user', group: 'ann' }
  expect(endedText(where, 'the alert was deleted')).toBe(
    'Resolved: spend (acme/app, user ann): the alert was deleted.',
  )
})

it('fills in a template, and refuses one that names what is not there', () => {
  const message =
    '{{ name }} {{group_by}}={{group}} {{value}} {{comparison}} {{threshold}} {{window}} {{url}} {not}'
  expect(textOf({ ...about, definition: { ...definition, message } }, change)).toBe(
    'spend user=ann 12.3457 > 10 1 day https://heddle.example.com/a {not}',
  )
  expect(() => checkTemplate(message)).not.toThrow()
  for (const name of ['nmae', 'constructor', ''])
    expect(() => checkTemplate(`{{${name}}}`)).toThrow(`The message names {{${name}}}; it may name name,`)
})

it.each([
  [60, '1 minute'],
  [90, '90 seconds'],
  [7200, '2 hours'],
  [604_800, '7 days'],
])('%d s is %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})
