/** What takes long to install: the other programs of `programs/`, run by `make test-instrumentations`. */
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

it.each(Object.keys(LIBRARIES).filter((name) => !QUICK.includes(name)))('%s', async (name) => {
  const project = freshProject()
  await runLibrary(name, { server, provider, project })
  await expect(await settledOutline(name, server, project, LIBRARIES[name]!.isTerse)).toMatchFileSnapshot(
    outlineFile(name),
  )
})
