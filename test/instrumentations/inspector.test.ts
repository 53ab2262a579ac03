/** The official inspector of the Model Context Protocol, by its command line, against a real server. */
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { freshProject } from '../support/ids.js'
import { runText } from '../support/program.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { placeOf } from './places.js'

const project = freshProject()
let server: SharedServer
beforeAll(async () => {
  server = await sharedServer()
  const batch = [complete(project, { op_name: 'needle', exception: 'ValueError: lost' })]
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

/** What the inspector prints: the answer to one method. */
async function inspected(...words: string[]) {
  const command = ['mcp-inspector', '--cli', `${server.url}/mcp`, '--transport', 'http', ...words]
  const quoted = [...command, '--header', `Authorization: Bearer ${server.key}`].map((one) => `'${one}'`)
  // What it goes through a proxy with needs a newer Node.js than ours.
  const script = `unset HTTPS_PROXY HTTP_PROXY\n${quoted.join(' ')}`
  const printed = await runText(server, 'sh', script, {}, 60, placeOf('command-line'))
  return JSON.parse(printed) as Record<string, unknown>
}

it('lists tools and prompts, and calls a tool', async () => {
  const { tools } = (await inspected('--method', 'tools/list', '--strict')) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toContain('search_calls')
  const { prompts } = (await inspected('--method', 'prompts/list')) as { prompts: object[] }
  expect(prompts).toHaveLength(3)
  const found = await inspected(
    ...['--method', 'tools/call', '--tool-name', 'search_calls'],
    ...['--tool-arg', `project=${project}`],
  )
  expect(found.structuredContent).toMatchObject({ calls: [{ op: 'needle' }] })
})
