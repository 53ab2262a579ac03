/**
 * The programs of docs/frameworks as they stand there, with the settings of their pages, as processes of their own: the
 * published instrumentations, a stand-in for the provider, and what becomes of their spans. Beside them programs of
 * other libraries that need no packages but theirs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshProject } from '../support/ids.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { Stub } from '../support/stub.js'
import { outlineFile, settledOutline } from './outline.js'
import { runLibrary, runPage } from './program.js'
import { PAGES, QUICK } from './rows.js'
import { readmeWith } from './table.js'

const folder = join(root, 'docs/frameworks')

let server: SharedServer
let provider: Stub
beforeAll(async () => {
  ;[server, provider] = await Promise.all([sharedServer(), Stub.start('tool-provider')])
})
afterAll(() => provider?.stop())

it('every page is run', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name !== 'README.md')
      .sort(),
  ).toEqual(Object.keys(PAGES).sort())
})

it('README’s table is what the tests see', async () => {
  const readme = join(folder, 'README.md')
  await expect(readmeWith(readFileSync(readme, 'utf8'))).toMatchFileSnapshot(readme)
})

it.each([
  ...Object.keys(PAGES).map((page) => ({ name: page, run: runPage })),
  ...QUICK.map((name) => ({ name, run: runLibrary })),
])('$name: its calls are what the program did', async ({ name, run }) => {
  const project = freshProject()
  await run(name, { server, provider, project })
  await expect(await settledOutline({ server, project }, name)).toMatchFileSnapshot(outlineFile(name))
})
