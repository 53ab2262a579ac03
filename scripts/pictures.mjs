// Takes the pictures of README and docs from running pages: `node scripts/pictures.mjs URL KEY ENTITY/PROJECT CALL-ID`.
import { chromium } from '../web/node_modules/playwright-core/index.mjs'

const [url, key, project, call] = process.argv.slice(2)
if (call === undefined) {
  console.error('usage: node scripts/pictures.mjs URL KEY ENTITY/PROJECT CALL-ID')
  process.exit(2)
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 760 } })
await context.request.post('/session', { data: { key } })
const page = await context.newPage()
for (const [name, path, seen] of [
  ['trace', `/${project}/r/call/${call}`, () => page.getByRole('tab').first()],
  ['traces', `/${project}/weave/traces`, () => page.getByRole('rowgroup').getByRole('row').first()],
]) {
  await page.goto(path)
  await seen().waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: `docs/pictures/${name}.png` })
}
await browser.close()
