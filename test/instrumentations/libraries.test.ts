/** What takes long to install: the other programs of `programs/`, run by `make test-instrumentations`. */
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'
import { outlineFile, settledOutline } from './outline.js'
import { runLibrary } from './program.js'
import { LIBRARIES, QUICK } from './rows.js'

let server: SharedServer
let provider: Stub
beforeAll(async () => {
  ;[server, provider] = await Promise.all([sharedServer(), Stub.start('tool-provider')])
})
afterAll(() => provider?.stop())

const hasGo = spawnSync('go', ['version']).status === 0
const names = Object.keys(LIBRARIES).filter((name) => !QUICK.includes(name))
const isRun = (name: string) => hasGo || LIBRARIES[name]!.place !== 'go'

it.skip.each(names.filter((name) => !isRun(name)))('%s: there is no command `go`', () => {})

it.each(names.filter(isRun))('%s', async (name) => {
  const project = freshProject()
  await runLibrary(name, { server, provider, project })
  const { isTerse } = LIBRARIES[name]!
  const outline = await settledOutline({ server, project }, name, { seconds: 300, isTerse })
  await expect(outline).toMatchFileSnapshot(outlineFile(name))
})
