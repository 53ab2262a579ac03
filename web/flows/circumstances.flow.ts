/**
 * What befalls every screen: a link to it is opened, the service goes away and comes back, the key ends, the user goes
 * back, another tenant tries. The screens are those of the router: a new one needs a line in `seed.ts`.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hex } from '../../test/support/ids.js'
import { rounds } from '../../test/support/rounds.js'
import { until } from '../../test/support/until.js'
import { server } from './browser.js'
import { expectQuiet, freshPageOf, inspect, signIn, visitOf } from './chromium.js'
import { Gate } from './gate.js'
import { INJECTED, PAYLOADS } from './payloads.js'
import { type Address, type Addresses, pathOf, seed } from './seed.js'

const entity = `t${hex(4)}`
const project = `${entity}/one`
/** Open at a time. */
const TABS = 14
/** Into how many parts the screens fall, of which a run takes one through an outage. All use the same parts for it. */
const PARTS = rounds(1) > 1 ? 1 : 2
const PART = Number(process.env.HEDDLE_SCREENS_PART ?? Date.now()) % PARTS
const SMALL = { width: 800, height: 500 }
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } }
const CALL = '/$entity/$project/r/call/$id'
let gate: Gate
let addresses: Addresses

beforeAll(async () => {
  gate = await Gate.before(server)
  addresses = await seed(server, project)
})
afterAll(() => gate?.close())

const main = (page: Page) => page.getByRole('main')
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'The service does not answer' })

it.each([`/${project}/weave/nothing`, '/nope', '/nope/'])(
  'an address without a page has a way out: %s',
  async (address) => {
    const page = await visitOf(server, address)
    await page.getByText('There is no page at this address').waitFor()
    await page.getByRole('link', { name: 'Go to the projects' }).click()
    await main(page).getByText(project).waitFor()
  },
)

/** The screen is there, and tells of no failure. */
async function expectShown(page: Page, route: string): Promise<void> {
  const { shows } = addresses[route]!
  await main(page).getByText(shows).first().waitFor()
  const alerts = await page.getByRole('alert').filter({ hasNotText: shows }).allInnerTexts()
  expect(alerts, route).toEqual([])
}

async function keyFor(scope: string): Promise<{ key: string; key_id: string }> {
  const grants = [{ scope, right: 'admin' }]
  return (await server.api.ok('/keys', { username: scope, grants })) as never
}

/** A link opened in a tab of its own. It shares the process of its opener, which costs less than one for each. */
async function openedBy(opener: Page, path: string): Promise<Page> {
  const [page] = await Promise.all([
    opener.waitForEvent('popup'),
    opener.evaluate((to) => void window.open(to), path),
  ])
  return page
}

interface Tab {
  page: Page
  route: string
}

const onAll = (tabs: readonly Tab[], what: (tab: Tab, i: number) => Promise<void>) =>
  Promise.all(tabs.map(what))

/** As when one comes back to the tab. */
const lookAt = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))

/** An address has several spellings. */
/** Blanks of a query are written in two ways. */
const placeOf = (url: string) => decodeURIComponent(url.replaceAll('+', ' '))

/** Goes to another address as a link does: the page stays loaded. */
const go = (page: Page, href: string) =>
  page.evaluate((to) => {
    interface Router {
      navigate: (by: { href: string }) => Promise<void>
    }
    return (window as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.navigate({ href: to })
  }, href)

/** The addresses of the router, which the page holds, with a number for the screen of each: 0 redirects. */
async function routesOf(page: Page): Promise<{ path: string; component: number }[]> {
  return page.evaluate(() => {
    interface Router {
      routesByPath: Record<string, { options: { component?: unknown } }>
    }
    const { routesByPath } = (window as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__
    const components: unknown[] = [undefined]
    return Object.entries(routesByPath).map(([path, { options }]) => {
      if (!components.includes(options.component)) components.push(options.component)
      return { path, component: components.indexOf(options.component) }
    })
  })
}

it(`each screen opens by its link, outlives an outage and the end of the key, and is there when one goes back, part ${PART} of ${PARTS}`, async () => {
  const opener = await visitOf(gate, '/', (await keyFor(entity)).key, SMALL)
  await main(opener).waitFor()
  const all = (await routesOf(opener)).filter(
    // They need no session.
    ({ path }) => !['/signin', '/invitation', '/share/$token', '/docs'].includes(path),
  )
  expect(all.map(({ path }) => path).toSorted()).toEqual(Object.keys(addresses).toSorted())
  // One address of each screen. The tests below go to all.
  const routes = all
    .filter(({ component }, i) => all.findIndex((one) => one.component === component) === i)
    .map(({ path }) => path)
    .filter((_, i) => i % PARTS === PART)
  // It is no screen, so it asks for nothing.
  await opener.goto('/session')
  opener.context().setDefaultTimeout(60_000)
  for (let at = 0; at < routes.length; at += TABS) {
    const some = routes.slice(at, at + TABS)
    const { key, key_id } = await keyFor(entity)
    await signIn(opener, key)
    const tabs: Tab[] = []
    for (const route of some)
      tabs.push({ route, page: await openedBy(opener, pathOf(route, addresses[route]!, project)) })
    await onAll(tabs, ({ page, route }) => expectShown(page, route))
    await gate.close()
    await onAll(tabs, async ({ page }) => {
      await lookAt(page)
      await banner(page).waitFor()
    })
    await gate.open()
    await onAll(tabs, async ({ page, route }) => {
      await banner(page).waitFor({ state: 'detached' })
      await expectShown(page, route)
    })
    const places = tabs.map(({ page }) => placeOf(page.url()))
    await server.api.send('DELETE', `/keys/${key_id}`)
    await onAll(tabs, async ({ page }) => {
      // The key is known for some seconds still.
      await until('the end of the session', async () => {
        await lookAt(page)
        await page.waitForURL('**/signin?*', { timeout: 1_000 })
        return true
      })
    })
    // Who signs in on one tab is where they were on all.
    const one = tabs[0]!.page
    await one.getByLabel('API key').fill((await keyFor(entity)).key)
    await one.getByRole('button', { name: 'Sign in' }).click()
    await onAll(tabs, async ({ page, route }, i) => {
      await page.waitForURL((url) => placeOf(url.href) === places[i])
      await expectShown(page, route)
      await page.goBack()
      await page.goForward()
      await expectShown(page, route)
    })
    await onAll(tabs, ({ page }) => page.close())
  }
  await opener.context().close()
}, 600_000)

it('what is typed stays through an outage, and a screen that was never opened comes after it', async () => {
  // A page that was used before has the files of other screens.
  const page = await freshPageOf(gate)
  await signIn(page, gate.key)
  await page.goto(pathOf(CALL, addresses[CALL]!, project))
  await page.getByRole('tab', { name: 'Feedback', exact: true }).click()
  await page.getByLabel('Note').fill('half a thought')
  await gate.close()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('The service does not answer. Try again').waitFor()
  await banner(page).waitFor()
  await inspect(page)
  await gate.open()
  await banner(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('half a thought')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'half a thought' }).waitFor()
  await gate.close()
  await page.getByRole('link', { name: 'Dashboards' }).click()
  await banner(page).waitFor()
  await gate.open()
  await expectShown(page, '/$entity/$project/weave/dashboards')
})

it('what was read stays while reading it anew is refused, with a notice', async () => {
  const page = await visitOf(server, pathOf(CALL, addresses[CALL]!, project))
  await page.getByRole('tab', { name: 'Feedback', exact: true }).click()
  const write = (text: string) => page.getByLabel('Note').fill(text)
  const add = () => page.getByRole('button', { name: 'Add', exact: true }).click()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/feedback/query', (route) => held.then(() => route.continue()))
  await write('the first')
  await add()
  // What is written before the first is shown stays.
  await write('the second')
  letGo()
  await page.getByRole('listitem').filter({ hasText: 'the first' }).waitFor()
  await page.unroute('**/feedback/query')
  const refused = { code: 'BUSY', reason: 'The service is busy. Try again later.' }
  await page.route('**/feedback/query', (route) => route.fulfill({ status: 429, json: refused }))
  await add()
  const notice = page
    .getByRole('status')
    .filter({ hasText: 'This page may be out of date. The service is busy.' })
  await notice.waitFor()
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'the first' }).count()).toBe(1)
  await inspect(page)
  await page.unroute('**/feedback/query')
  await notice.getByRole('button', { name: 'Load again' }).click()
  await page.getByRole('listitem').filter({ hasText: 'the second' }).waitFor()
  await notice.waitFor({ state: 'detached' })

  // What has nothing to show yet says why it waits, asks when the service said, and goes on by itself.
  const busy = { status: 429, json: refused, headers: { 'retry-after': '1' } }
  await page.route('**/calls/stream_query', (route) => route.fulfill(busy))
  await page.goto(`/${project}/weave/traces`)
  await page.getByRole('status').filter({ hasText: refused.reason }).waitFor()
  await inspect(page)
  await page.unroute('**/calls/stream_query')
  await page.getByRole('table', { name: 'Traces' }).getByRole('row').nth(1).waitFor()
})

it('what is of another tenant looks like what is not there', async () => {
  const page = await visitOf(gate, '/', (await keyFor(`t${hex(4)}`)).key, SMALL)
  const seen = async (route: string, of: string) => {
    await go(page, pathOf(route, addresses[route]!, of))
    await page.locator('.spinner').first().waitFor({ state: 'detached' })
    return (await main(page).allInnerTexts()).join('').replaceAll(of, 'the project')
  }
  for (const route of Object.keys(addresses).filter((one) => one.includes('$project')))
    await until(`${route} to be the same`, async () => {
      const text = await seen(route, project)
      return text !== '' && text === (await seen(route, `${entity}/none`))
    })
})

it('script in a stored text runs on no screen, and a word of any length fits', async () => {
  const hostile = `${entity}/two`
  const found = await seed(server, hostile, (plain) => `${plain} ${'Wort'.repeat(50)} ${PAYLOADS.join(' ')}`)
  const page = await visitOf(gate, '/', gate.key, SIZES.narrow)
  for (const [route, address] of Object.entries(found)) {
    await go(page, pathOf(route, address, hostile))
    await main(page)
      .getByText(route === '/' ? hostile : address.shows)
      .first()
      .waitFor()
    expect(await page.locator(INJECTED).count(), route).toBe(0)
    expect(await tooWide(page), route).toEqual([])
  }
  expectQuiet(page)
})

/** What reaches out of the window where nothing scrolls, and cells that fill it by themselves. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (one: Element | null): boolean =>
      one !== null &&
      !one.matches('.shell-main') &&
      (getComputedStyle(one).overflowX !== 'visible' || scrolls(one.parentElement))
    return [...document.querySelectorAll('main *')]
      .filter((one) => {
        const { left, right, width, height } = one.getBoundingClientRect()
        if (width === 0 || height === 0) return false
        if (one.matches('td')) return width > innerWidth
        return (left < -1 || right > innerWidth + 1) && !scrolls(one.parentElement)
      })
      .map((one) => one.outerHTML.slice(0, 200))
  })

it('the page of what is not there leads to its list', async () => {
  const page = await visitOf(server, '/')
  const missing = { code: 'NOT_FOUND', reason: 'It was not found.' }
  const things = Object.keys(addresses).filter((route) => /(objects|ops|datasets|call)\/\$id$/.test(route))
  await page.route('**/{obj/read,objs/query,call/read,calls/stream_query}', (route) =>
    route.fulfill({ status: 404, json: missing }),
  )
  for (const route of things) {
    await go(page, pathOf(route, addresses[route]!, project))
    await page.getByRole('alert').getByRole('link', { name: 'Go to the list' }).click()
    await page.waitForURL((url) => !url.pathname.includes(addresses[route]!.id!))
  }
  await page.unrouteAll()
  await go(page, `/${project}/weave/evaluations/compare?runs=none`)
  await main(page).getByRole('link', { name: 'Choose runs in the list of evaluations' }).click()
  await main(page).getByText('good').first().waitFor()
})

// 140 visits take minutes: `make bench-web` asks for them.
it.runIf(process.env.AXE_ALL === 'true').each(['light', 'dark'] as const)(
  'axe finds nothing serious on any screen, %s, wide and narrow',
  async (colorScheme) => {
    const found: string[] = []
    for (const [name, size] of Object.entries(SIZES)) {
      const page = await visitOf(server, '/', server.key, size, { colorScheme })
      const all = Object.entries({ ...addresses, '/docs': { shows: 'Calls' } as Address })
      for (const [route, address] of all) {
        await page.goto(pathOf(route, address, project))
        await main(page).getByText(address.shows).first().waitFor()
        await inspect(page).catch((error: Error) => found.push(`${route}, ${name}: ${error.message}`))
      }
    }
    expect(found).toEqual([])
  },
  900_000,
)
