/** What Langfuse's published SDKs do besides tracing, as processes of their own: scores, and what they read of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { freshProject } from '../support/ids.js'
import { runPython, runText } from '../support/program.js'
import { root } from '../support/root.js'
import { type SharedServer, sharedServer } from '../support/shared-server.js'
import { until } from '../support/until.js'

let server: SharedServer
beforeAll(async () => {
  server = await sharedServer()
})

interface Reported {
  /** what `auth_check` said; undefined: the SDK has none */
  known?: boolean
  problems?: string[]
  trace: string
  span: string
  /** what the SDK read: type, text and value by name; undefined: it reads none */
  found?: Record<string, unknown>
}

/** The SDKs: a program of `test/clients/python` and its packages, or one of `programs/` and other names of its packages. */
const SDKS: Record<string, { python: string } | { program: string; prefix?: string }> = {
  'Python 2': { python: '.venv/langfuse-2' },
  'Python 3': { python: '.venv/langfuse-3' },
  'Python 4': { python: '.venv/langfuse-4' },
  'Python 5': { python: '.venv/instrumentations' },
  'JavaScript 3': { program: '_3' },
  'JavaScript 4': { program: '_js', prefix: 'langfuse-4-' },
  'JavaScript 5': { program: '_js' },
}

async function run(sdk: string, what: string, project: string): Promise<Reported> {
  const one = SDKS[sdk]!
  const env = {
    LANGFUSE_HOST: server.url,
    LANGFUSE_BASE_URL: server.url,
    LANGFUSE_BASEURL: server.url,
    LANGFUSE_PUBLIC_KEY: project,
    LANGFUSE_SECRET_KEY: server.key,
  }
  if ('python' in one) return runPython<Reported>(server, `langfuse_${what}`, env, 120, one.python)
  const file = join(root, 'test/instrumentations/programs', `langfuse_${what}${one.program}.mjs`)
  const text = readFileSync(file, 'utf8').replaceAll("'@langfuse/", `'${one.prefix ?? '@langfuse/'}`)
  const output = await runText(server, 'js', text, env, 120, 'js-frameworks')
  return JSON.parse(/^RESULT (.*)$/m.exec(output)![1]!) as Reported
}

/** The feedback of a project: type, ref and value. */
async function feedbackOf(project: string): Promise<unknown[][]> {
  const { result } = await server.api.ok('/feedback/query', { project_id: project })
  return (result as Row[]).map((row) => [row.feedback_type, row.weave_ref, (row.payload as Row).value]).sort()
}

describe.each(Object.keys(SDKS))('%s', (sdk) => {
  it('scores a span, its trace and a session, and reads the scores', { timeout: 180_000 }, async () => {
    const project = freshProject()
    const { known = true, problems = [], trace, span, found } = await run(sdk, 'scores', project)
    expect([known, problems]).toEqual([true, []])
    // Version 2 for Python has no scores of sessions.
    const hasSessions = sdk !== 'Python 2'
    // Version 5 for Python reads values as they are, the others numbers and texts beside them.
    const asTheyAre = sdk === 'Python 5'
    if (found !== undefined)
      expect(found).toEqual({
        liked: asTheyAre ? ['BOOLEAN', null, true] : ['BOOLEAN', 'True', 1],
        tone: asTheyAre ? ['CATEGORICAL', null, 'warm'] : ['CATEGORICAL', 'warm', 0],
        ...(hasSessions && { helped: ['NUMERIC', null, 0.5] }),
        ...(found.v3 !== undefined && { v3: ['helped', 'liked', 'tone'] }),
      })
    const calls = await server.api.calls(project, { columns: ['id', 'parent_id'] })
    const turn = calls.find(({ parent_id }) => parent_id === null)?.id
    await until('the score of the trace is at its root', async () => {
      const feedback = await feedbackOf(project)
      return feedback.some(([, ref]) => ref === `weave:///${project}/call/${turn}`)
    })
    expect(await feedbackOf(project)).toEqual([
      ...(hasSessions ? [['langfuse.helped', `weave:///${project}/agent_conversation/session-1`, 0.5]] : []),
      ['langfuse.liked', `weave:///${project}/call/${span}`, 1],
      ['langfuse.tone', `weave:///${project}/call/${turn}`, 'warm'],
    ])
    expect(trace).toMatch(/^[\w-]{20,}$/)
  })
})
