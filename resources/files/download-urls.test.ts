import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { type Download, DownloadUrls } from './download-urls.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('download_urls')
}, 120_000)
afterAll(() => engine.stop())

const download: Download = { project: 'p', digest: 'd', expires: Date.now() + 60_000 }
const signatureOf = async (urls: DownloadUrls, of: Download) =>
  new URLSearchParams((await urls.path(of)).split('?')[1]).get('signature')!

it('any process checks what another signed', async () => {
  const signature = await signatureOf(new DownloadUrls(store), download)
  const other = new DownloadUrls(store)
  await other.check(download, signature)
  for (const changed of [{ digest: 'e' }, { project: 'q' }, { expires: download.expires + 1 }])
    await expect(other.check({ ...download, ...changed }, signature)).rejects.toThrow(/link/i)
})

it('an expired address is refused, though its signature is right', async () => {
  const urls = new DownloadUrls(store)
  const past = { ...download, expires: Date.now() - 1 }
  await expect(urls.check(past, await signatureOf(urls, past))).rejects.toMatchObject({ code: 'BAD_LINK' })
})

it('many wrong signatures do not become as many statements', async () => {
  const urls = new DownloadUrls(store)
  await signatureOf(urls, download)
  const rows = vi.spyOn(store, 'rows')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000)
  for (let i = 0; i < 100; i++) await expect(urls.check(download, `wrong ${i}`)).rejects.toThrow()
  expect(rows).toHaveBeenCalledTimes(1)
  clock.mockRestore()
  rows.mockRestore()
})
