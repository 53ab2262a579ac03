import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, it } from 'vitest'
import { makeRouter } from './router'

const router = makeRouter(new QueryClient())

type Search = Record<string, unknown>
const readers = Object.entries(router.routesById).flatMap(([id, { options }]) => {
  const read = (options as { validateSearch?: (search: Search) => Search }).validateSearch
  return read === undefined ? [] : [{ id, read }]
})

/** Every name that a screen has in an address. */
const NAMES = [
  ...[
    'q',
    'sort',
    'range',
    'from',
    'to',
    'cols',
    'view',
    'facets',
    'all',
    'live',
    'tab',
    'part',
    'page',
    'call',
  ],
  ...[
    'runs',
    'evaluationCallIds',
    'by',
    'lower',
    'change',
    'worse',
    'pair',
    'of',
    'panels',
    'jobs',
    'joined',
  ],
  ...['smooth', 'dataset', 'calls', 'kind', 'reward', 'rewardName', 'rewardPath', 'type', 'against', 'alert'],
  ...[
    'scores',
    'rule',
    'state',
    'form',
    'item',
    'own',
    'user',
    'failed',
    'errors',
    'days',
    'compare',
    'prompt',
  ],
  ...['model', 'beside', 'next', 'error'],
]
const ODD = [
  0,
  1,
  4471,
  -1,
  1e300,
  true,
  false,
  null,
  '',
  'nope',
  'toString',
  '__proto__',
  [],
  [1],
  ['nope'],
  {},
]
const WORSE = [{ toString: 1 }, [{ toString: 1 }], [null], [[[]]], 'x'.repeat(10_000), '\ud800']

/** What each name may be; others are texts. */
const KINDS: Readonly<Record<string, string>> = {
  ...{
    all: 'boolean',
    live: 'boolean',
    pair: 'boolean',
    joined: 'boolean',
    calls: 'boolean',
    own: 'boolean',
  },
  ...{ failed: 'boolean', errors: 'boolean', days: 'number', smooth: 'number', panels: 'object' },
}

describe.each(readers)('$id', ({ id, read }) => {
  it.each(NAMES)('whatever an address says of %s, it is read as what it must be, or not at all', (name) => {
    for (const value of [...ODD, ...WORSE]) {
      const found = read({ [name]: value })
      for (const [key, one] of Object.entries(found)) {
        const kind = id.endsWith('/leaderboards/$id') && key === 'by' ? 'number' : (KINDS[key] ?? 'string')
        expect([key, typeof one]).toEqual([key, kind])
      }
      // The router reads again what was read.
      expect(read(found)).toEqual(found)
    }
  })
})

/** The address after the router has read it, and what its screen then gets. */
function opened(address: string) {
  const history = createMemoryHistory({ initialEntries: [address] })
  router.update({ ...router.options, history })
  router.updateLatestLocation()
  const { href } = router.buildLocation({
    ...{ to: router.latestLocation.pathname, search: true, params: true },
    _includeValidateSearch: true,
  })
  const { location } = createMemoryHistory({ initialEntries: [href] })
  return router.matchRoutes(router.parseLocation({ ...location })).at(-1)!.search
}

it.each([
  ['/me/x/weave/traces?q=4471', { q: '4471' }],
  ['/me/x/weave/traces?q=true&cols=1&live=nope', { q: 'true', cols: '1' }],
  ['/me/x/weave/traces?facets=1&facets=2&sort=5', { sort: '5' }],
  ['/me/x/weave/evaluations/compare?runs=1', { runs: '1' }],
  ['/me/x/weave/dashboards?panels=1&range=nope', {}],
  ['/me/x/weave/agents/named/a?range=nope&tab=nope', {}],
  ['/me/x/weave/alerts?tab=nope', {}],
  ['/me/x/weave/rules?tab=nope', {}],
  ['/me/x/weave/threads?sort=nope', {}],
  ['/me/x/weave/prompts?days=abc', {}],
  ['/me/x/weave/objects/a?tab=diff&against=7', { tab: 'diff', against: '7' }],
  ['/me/x/r/call/1?tab=raw&view=log', { tab: 'raw', view: 'log' }],
  ['/settings?tab=nope', {}],
  ['/docs?page=1', { page: '1' }],
])('%s', (address, search) => expect(opened(address)).toEqual(search))
