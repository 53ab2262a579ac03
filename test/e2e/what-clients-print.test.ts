/** What the guide of this name says is so: which links lead where, and what silences a warning. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runPython, runText } from '../support/program.js'
import { root } from '../support/root.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const guide = readFileSync(join(root, 'docs/guides/what-clients-print.md'), 'utf8')
const silence = /```python\n([\s\S]*?)```/.exec(guide)![1]!

/** The first address in a text that has `/r/call/` in it. */
const linkIn = (text: string) => /https?:\/\/\S*\/r\/call\/\S+/.exec(text)?.[0] ?? ''

it("the npm SDK's links lead to a call's page with http in place of https", async () => {
  const program = `
    import * as weave from 'weave'
    const client = await weave.init('${freshProject()}')
    await weave.op(function shout() { return 1 })()
    await client.waitForBatchProcessing()`
  const link = linkIn(await runText(server, 'js', program, { WEAVE_PRINT_CALL_LINK: 'true' }))
  expect(link.startsWith('https://')).toBe(true)
  const page = await fetch(link.replace('https://', 'http://'), { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
})

it.each([
  ['warns of a field of two names', 'pass', [expect.stringContaining('platform_user_id')]],
  ['says nothing after the lines of the guide', silence, []],
])('the Python SDK %s', async (_, BEFORE, logged) => {
  const found = await runPython(server, 'weave_quiet', { PROJECT: freshProject(), BEFORE })
  expect(found).toEqual({ notes: ['well said'], logged })
})
