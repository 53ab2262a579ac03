import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { type FileAddress, SignedUrls } from './signed-urls.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('download_urls')
}, 120_000)
afterAll(() => engine.stop())

const download: FileAddress = { project: 'p', digest: 'd', expires: Date.now() + 60_000 }
const signatureOf = async (urls: SignedUrls, of: FileAddress) =>
  new URLSearchParams((await urls.path(of)).split('?')[1]).get('signature')!

it('any process checks what another signed', async () => {
  const signature = await signatureOf(new SignedUrls(store), download)
  const other = new SignedUrls(store)
  await other.check(download, signature)
  for (const changed of [{ digest: 'e' }, { project: 'q' }, { expires: download.expires + 1 }])
    await expect(other.check({ ...download, ...changed }, signature)).rejects.toThrow(/link/i)
})

it('an address of an upload names its size, and is none of a download', async () => {
  const urls = new SignedUrls(store)
  const upload = { ...download, bytes: 10 }
  const signature = await signatureOf(urls, upload)
  await urls.check(upload, signature)
  for (const changed of [download, { ...upload, bytes: 11 }])
    await expect(urls.check(changed, signature)).rejects.toThrow(/link/i)
})

it('an expired address is refused, though its signature is right', async () => {
  const urls = new SignedUrls(store)
  const past = { ...download, expires: Date.now() - 1 }
  await expect(urls.check(past, await signatureOf(urls, past))).rejects.toMatchObject({ code: 'BAD_LINK' })
})

it('many wrong signatures do not become as many statements', async () => {
  const urls = new SignedUrls(store)
  await signatureOf(urls, download)
  const rows = vi.spyOn(store, 'rows')
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000)
  for (let i = 0; i < 100; i++) await expect(urls.check(download, `wrong ${i}`)).rejects.toThrow()
  expect(rows).toHaveBeenCalledTimes(1)
  clock.mockRestore()
  rows.mockRestore()
})
