/** What takes long to install: the other programs of `programs/`, run by `make test-instrumentations`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'
import { outlineFile, settledOutline } from './outline.js'
import { placeOf } from './places.js'
import { runRow } from './program.js'
import { LIBRARIES, QUICK } from './rows.js'

let server: SharedServer
let provider: Stub
beforeAll(async () => {
  ;[server, provider] = await Promise.all([sharedServer(), Stub.start('tool-provider')])
})
afterAll(() => provider?.stop())

/** scripts/instrumentations.sh leaves out what there is no command for. */
const COMMANDS: Readonly<Record<string, string>> = { go: 'go', 'spring-ai': 'mvn' }
const names = Object.keys(LIBRARIES).filter((name) => !QUICK.includes(name))
const lacks = (name: string) => {
  const { place } = LIBRARIES[name]!
  return existsSync(join(root, placeOf(place))) ? undefined : COMMANDS[place]
}
const isRun = (name: string) => lacks(name) === undefined

for (const name of names.filter((name) => !isRun(name)))
  it.skip(`${name}: there is no command \`${lacks(name)}\``, () => {})

it.each(names.filter(isRun))('%s', async (name) => {
  const project = freshProject()
  await runRow(name, { server, provider, project })
  const { isTerse } = LIBRARIES[name]!
  const outline = await settledOutline({ server, project }, name, { seconds: 300, isTerse })
  await expect(outline).toMatchFileSnapshot(outlineFile(name))
})
