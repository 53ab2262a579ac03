import { expect, it } from 'vitest'
import { titleOf } from './title'

it.each([
  ['/', undefined, 'Heddle'],
  ['/settings', undefined, 'Settings · Heddle'],
  ['/docs', 'Rewards', 'Rewards · Docs · Heddle'],
  ['/acme/one/weave/traces', undefined, 'Traces · acme/one · Heddle'],
  ['/acme/one/weave/threads/order%204471', undefined, 'order 4471 · Threads · acme/one · Heddle'],
  ['/acme/one/weave/agents/named/Weather', undefined, 'Weather · Agents · acme/one · Heddle'],
  ['/acme/one/weave/evaluations/compare', undefined, 'Comparison · Evaluations · acme/one · Heddle'],
  ['/acme/one/r/call/0198', 'answer', 'answer · Trace · acme/one · Heddle'],
  ['/%/%/weave/%E0%A4%A', undefined, '%/% · Heddle'],
])('%s', (path, thing, title) => expect(titleOf(path, thing)).toBe(title))
