import { expect, it } from 'vitest'
import { service } from '../fairness/caller.js'
import { activeAccounts } from '../fairness/recent-accounts.js'
import { BESIDE_OTHERS, besideOthers } from './beside-others.js'

it('a read says that others are active if it is an account’s, and not its own doing', () => {
  activeAccounts.note('acme')
  for (const caller of ['acme/key', '/', service('rules')] as const) expect(besideOthers(caller)).toEqual({})
  activeAccounts.note('other')
  expect(besideOthers('acme/key')).toEqual({ [BESIDE_OTHERS]: '1' })
  for (const caller of ['/', service('rules')] as const) expect(besideOthers(caller)).toEqual({})
})
