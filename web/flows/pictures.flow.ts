/**
 * Screens look as approved, at the width of a desk and of a phone. Clock, zone and data are fixed, letters are blocks
 * (`block-font.ts`), and charts are left out: their letters are the machine's.
 * `APPROVE_PICTURES=true npx vitest run --project web web/flows/pictures.flow.ts` approves what is shown now.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { until } from '../../test/support/until.js'
import { blockFont } from './block-font.js'
import { server } from './browser.js'
import { visitOf } from './chromium.js'

const project = 'pictures/stable'
const NOW = Date.parse('2026-06-01T12:00:00Z')
const APPROVED = join(import.meta.dirname, 'pictures')
const SIZES = { desk: { width: 1280, height: 720 }, phone: { width: 390, height: 800 } } as const
const STABLE = {
  bypassCSP: true,
  timezoneId: 'UTC',
  locale: 'en-US',
  colorScheme: 'light',
} as const
const STYLE = `
  @font-face { font-family: Blocks; src: url(data:font/ttf;base64,${blockFont().toString('base64')}) }
  *, *::before, *::after { font-family: Blocks !important; font-synthesis: none !important; font-weight: 400 !important }
  canvas { visibility: hidden !important }`

const id = (n: number) => `01980000-0000-7000-8000-${String(n).padStart(12, '0')}`

beforeAll(async () => {
  const at = (seconds: number) => new Date(NOW - 3_600_000 + 1000 * seconds).toISOString()
  const said = (content: string, answer: string) => ({
    inputs: { model: 'gpt-4o', messages: [{ role: 'user', content }] },
    output: { choices: [{ message: { role: 'assistant', content: answer } }] },
    summary: { usage: { 'gpt-4o': { prompt_tokens: 1200, completion_tokens: 80, requests: 1 } } },
  })
  const call = (n: number, op_name: string, from: number, to: number, more: object) => ({
    ...complete(project),
    ...{ id: id(n), trace_id: id(n), op_name, started_at: at(from), ended_at: at(to), ...more },
  })
  const below = (root: number) => ({ trace_id: id(root), parent_id: id(root) })
  const batch = [
    call(1, 'answer', 0, 9, { inputs: { question: 'Where is order 4471?' }, output: 'It is shipped.' }),
    call(2, 'chat', 1, 5, { ...said('Where is order 4471?', 'It is **shipped**.'), ...below(1) }),
    call(3, 'lookup', 5, 6, { inputs: { order: 4471 }, exception: 'KeyError: 4471', ...below(1) }),
    ...['Rome', 'Oslo', 'Bern'].map((city, i) => {
      const turn = { thread_id: 'cities', turn_id: id(10 + i) }
      return call(10 + i, 'ask', 100 + 10 * i, 102 + 11 * i, {
        ...said(`Tell me of ${city}.`, `${city} is fine.`),
        ...turn,
      })
    }),
  ]
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  const rows = [
    { question: 'Capital of Italy?', answer: 'Rome' },
    { question: 'Capital of Norway?', answer: 'Oslo' },
  ]
  await server.api.ok(v2(project, 'datasets'), { name: 'capitals', rows })
})

const weave = `/${project}/weave`
const screens: [string, string, (page: Page) => Promise<unknown>][] = [
  ['traces', `${weave}/traces`, (page) => page.getByText('$0.').first().waitFor()],
  [
    'call',
    `/${project}/r/call/${id(2)}`,
    async (page) => {
      await page.getByRole('article').nth(1).waitFor()
      await page.getByTitle('model', { exact: true }).waitFor()
    },
  ],
  [
    'thread',
    `${weave}/threads/cities`,
    async (page) => {
      await page.getByText('Bern is fine.').waitFor()
      await page.getByText(/3 turns.*tokens/).waitFor()
    },
  ],
  ['dataset', `${weave}/datasets/capitals`, (page) => page.getByRole('cell', { name: 'Oslo' }).waitFor()],
]

describe.each(Object.keys(SIZES) as (keyof typeof SIZES)[])('at the width of a %s', (width) => {
  it.each(screens)('%s', async (name, path, isThere) => {
    const page = await visitOf(server, 'about:blank', server.key, SIZES[width], STABLE)
    await page.clock.setFixedTime(NOW)
    await page.goto(path)
    await isThere(page)
    await page.addStyleTag({ content: STYLE })
    await page.evaluate(async () => {
      await document.fonts.load('16px Blocks')
      await document.fonts.ready
    })
    await expectApproved(`${name}-${width}`, page)
  })
})

/** Pixels of an approved picture that may differ: corners and lines are smoothed differently by other versions. */
const TOLERATED = 0.005

async function expectApproved(name: string, page: Page): Promise<void> {
  const take = () => page.screenshot({ animations: 'disabled' })
  const file = join(APPROVED, `${name}.png`)
  if (process.env.APPROVE_PICTURES === 'true') {
    mkdirSync(APPROVED, { recursive: true })
    return writeFileSync(file, await settled(take))
  }
  expect(existsSync(file), `${file} is not there: see the head of this file`).toBe(true)
  const approved = readFileSync(file)
  let shown: Buffer = Buffer.alloc(0)
  let part = 1
  const isEqual = async () => {
    shown = await take()
    part = await differing(page, approved, shown)
    return part <= TOLERATED
  }
  await until(`${name} as approved`, isEqual, 30).catch(() => undefined)
  const kept = join(tmpdir(), `heddle-${name}.png`)
  if (part > TOLERATED) writeFileSync(kept, shown)
  expect(part, `the part of ${file} that differs from ${kept}`).toBeLessThanOrEqual(TOLERATED)
}

/** The picture, once two in a row are equal. */
async function settled(take: () => Promise<Buffer>): Promise<Buffer> {
  let last = await take()
  await until('the screen to rest', async () => {
    const next = await take()
    const isResting = next.equals(last)
    last = next
    return isResting
  })
  return last
}

/** The part of the pixels of two pictures that differ clearly; 1 if their sizes do. */
function differing(page: Page, one: Buffer, other: Buffer): Promise<number> {
  const addresses = [one, other].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`)
  return page.evaluate(async (sources) => {
    const CLEARLY = 48
    const [a, b] = await Promise.all(
      sources.map(async (src) => {
        const image = new Image()
        image.src = src
        await image.decode()
        const canvas = Object.assign(document.createElement('canvas'), {
          width: image.width,
          height: image.height,
        })
        const context = canvas.getContext('2d')!
        context.drawImage(image, 0, 0)
        return context.getImageData(0, 0, image.width, image.height)
      }),
    )
    if (a!.width !== b!.width || a!.height !== b!.height) return 1
    let count = 0
    for (let at = 0; at < a!.data.length; at += 4) {
      const isFar = [0, 1, 2].some((i) => Math.abs(a!.data[at + i]! - b!.data[at + i]!) > CLEARLY)
      if (isFar) count++
    }
    return (4 * count) / a!.data.length
  }, addresses)
}
