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
import { runRow } from './program.js'
import { COLLECTOR, LIBRARIES, PAGES, QUICK } from './rows.js'
import { wrongSums } from './sums.js'
import { cellsOf, readmeWith } from './table.js'

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
  ).toEqual([...Object.keys(PAGES), COLLECTOR].sort())
})

it('README’s table is what the tests see', async () => {
  const readme = join(folder, 'README.md')
  await expect(readmeWith(readFileSync(readme, 'utf8'))).toMatchFileSnapshot(readme)
})

it.each(Object.entries({ ...PAGES, ...LIBRARIES }))(
  '%s lacks only what its row says',
  (name, { lacks = {} }) => {
    const without = Object.entries(cellsOf(name)).filter(([, cell]) => cell !== 'yes')
    expect(without.map(([column]) => column).sort()).toEqual(Object.keys(lacks).sort())
  },
)

const counting = Object.entries({ ...PAGES, ...LIBRARIES }).filter(
  ([, { lacks }]) => lacks?.Tokens === undefined,
)
it.each(counting.map(([name]) => name))('%s: tokens and costs are the provider’s, once', (name) => {
  expect(wrongSums(readFileSync(outlineFile(name), 'utf8'))).toEqual([])
})

// Some libraries send what they have after a while, in the middle of a call where the machine is slow.
it.each([...Object.keys(PAGES), ...QUICK])(
  '%s: its calls are what the program did',
  { retry: 1 },
  async (name) => {
    const project = freshProject()
    await runRow(name, { server, provider, project })
    await expect(await settledOutline({ server, project }, name)).toMatchFileSnapshot(outlineFile(name))
  },
)
