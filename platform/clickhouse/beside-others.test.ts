import { expect, it, vi } from 'vitest'
import { service } from '../fairness/caller.js'

it('a read says that others are active if it is an account’s, and not its own doing', async () => {
  // Tests that ran before were accounts, too.
  vi.resetModules()
  const { activeAccounts } = await import('../fairness/recent-accounts.js')
  const { BESIDE_OTHERS, besideOthers } = await import('./beside-others.js')
  activeAccounts.note('acme')
  for (const caller of ['acme/key', '/', service('rules')] as const) expect(besideOthers(caller)).toEqual({})
  activeAccounts.note('other')
  expect(besideOthers('acme/key')).toEqual({ [BESIDE_OTHERS]: '1' })
  for (const caller of ['/', service('rules')] as const) expect(besideOthers(caller)).toEqual({})
})
