import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { claimOnce } from './claims.js'
import { LINK_MS, newLink, useLink } from './links.js'

let engine: Awaited<ReturnType<typeof sharedTestEngine>>
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('sign_in_links')
}, 120_000)
afterAll(() => engine?.stop())

const BAD = { code: 'SIGN_IN_BAD_LINK' }

it('a link works once, for its address', async () => {
  const link = (await newLink(store, 'ada@example.com', '/acme'))!
  expect(await useLink(store, link)).toEqual({ email: 'ada@example.com', next: '/acme' })
  await expect(useLink(store, link)).rejects.toMatchObject(BAD)
  await expect(useLink(store, 'hk_unknown')).rejects.toMatchObject(BAD)
  const rows = JSON.stringify(await store.rows(sql`SELECT * FROM sign_in_links`))
  expect(rows).not.toContain(link)
})

it('a link does not work when its time is over, and then the address gets others', async () => {
  const links: (string | undefined)[] = []
  for (let i = 0; i < 6; i++) links.push(await newLink(store, 'bob@example.com', '/'))
  expect(links.map((link) => link !== undefined)).toEqual([true, true, true, true, true, false])
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + LINK_MS)
  await expect(useLink(store, links[0]!)).rejects.toMatchObject(BAD)
  expect(await newLink(store, 'bob@example.com', '/')).toBeDefined()
  clock.mockRestore()
})

it('of those who claim the same at once at most one has it, and nobody after', async () => {
  for (const at of [0, 1, 2]) {
    const claims = Array.from({ length: 10 }, () => claimOnce(store, `secret ${at}`, Date.now() + 60_000))
    const won = (await Promise.all(claims)).filter(Boolean).length
    expect(won).toBeLessThanOrEqual(1)
    expect(await claimOnce(store, `secret ${at}`, Date.now() + 60_000)).toBe(false)
  }
})
