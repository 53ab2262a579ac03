/**
 * The server's own description is true: Schemathesis, as a process of its own, asks every operation in it for what
 * the description allows and for what it doesn't, and judges each answer by it. The table of operations gives each
 * one a request that works.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finished } from '../support/command.js'
import { freshProject, hex } from '../support/ids.js'
import { RedisProcess } from '../support/redis.js'
import { rounds } from '../support/rounds.js'
import { Server } from '../support/server.js'
import { alerts, SECRETS } from './table/alerts.js'
import { annotators } from './table/annotation.js'
import { audit } from './table/audit.js'
import { form } from './table/files.js'
import { monitors } from './table/monitors.js'
import { LANGFUSE, nameOf, type Operation } from './table/operation.js'
import { rules } from './table/rules.js'
import { sharing } from './table/sharing.js'
import { statements } from './table/sql.js'
import { table } from './table/table.js'

const root = resolve(import.meta.dirname, '../..')
const here = join(import.meta.dirname, 'schemathesis')
/**
 * Random requests for each operation, half of them wrong, beside the valid ones at the edges of its schema. Their seed is
 * fixed, so a run asks what the last one asked wherever the description is the same: few notice a change that breaks
 * answers, many are for `make soak`.
 */
const EXAMPLES = rounds(1, 6)
/** Most variants of an operation's valid request, by the ids that other operations answered with. */
const VARIANTS = rounds(2, 4)
/** Requests to an operation that walk the edges of its schema, apart from a few that are far from the first. */
const EDGES = rounds(3, 12)
/** Into how many parts operations fall, of which a run walks the edges of one; every run asks all of them the rest. */
const PARTS = rounds(1) > 1 ? 1 : 2
const PART = Number(process.env.HEDDLE_EDGES_PART ?? Date.now()) % PARTS
/** Most seconds for all of them. */
const PATIENCE = rounds(1200)

/**
 * What is passed on to the training interface, which has a description of its own, finds none behind this server. The
 * protocol of tools has one, too, with answers that this can't have, and so has SCIM, whose own suite judges it.
 */
const PASSED_ON = '^/(v1/preview/|scim/|mcp$)'

/** What needs a provider of OpenID Connect, a mail or the session of a browser; test/e2e/sign-in.test.ts asks these. */
const OF_BROWSERS = /^\/sign-in\/(start|callback|link|logout)|^\/sessions\/\{/

/** What an SDK asks for when it starts. */
const KEY = { grants: [{ scope: 'acme', right: 'read' }] }
const VIEWER = { query: 'query Viewer { viewer { username defaultEntity { name } } }' }

let redis: RedisProcess
let server: Server
let folder: string
/** By operation, by status, how often it was the answer. */
let outcome: Record<string, Record<string, number>>
let report = ''
let code: number | null

beforeAll(
  async () => {
    redis = await RedisProcess.start()
    server = await Server.start({ env: { REDIS_URL: redis.url, ...SECRETS } })
    folder = mkdtempSync(join(tmpdir(), 'heddle-schemathesis-'))
    const examples = await Promise.all(
      [...table, ...statements, ...monitors, ...alerts, ...rules, ...sharing, ...audit, ...annotators].map(
        async (row): Promise<[string, object]> => [nameOf(row), await exampleOf(row)],
      ),
    )
    const json = { parameters: {}, type: 'application/json' }
    examples.push(
      ['POST /graphql', { ...json, body: VIEWER }],
      ['POST /session', { ...json, body: { key: server.key } }],
      ['POST /keys', { ...json, body: KEY }],
      ['PATCH /keys/{key_id}', { ...json, parameters: { key_id: await newKey() }, body: { label: 'new' } }],
      ['GET /web/{name}', { parameters: { name: await pageFile() } }],
      ...(await aboutPeople()),
      ['GET /files/download/{digest}', await downloadOf()],
      ['PUT /files/upload/{digest}', await uploadOf()],
    )
    writeFileSync(join(folder, 'examples.json'), JSON.stringify(Object.fromEntries(examples)))
    const args = [
      '--config-file',
      join(here, 'schemathesis.toml'),
      '--no-color',
      'run',
      `${server.url}/openapi.json`,
    ]
    // Left to itself it passes over the path of the description.
    const all = ['--include-path-regex', '.', '--exclude-path-regex', PASSED_ON]
    const options = ['--auth', `api:${server.key}`, '--max-examples', String(EXAMPLES), ...all]
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      LANG: 'C.UTF-8',
      PYTHONPATH: here,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'hooks',
      HEDDLE_EXAMPLES: join(folder, 'examples.json'),
      HEDDLE_VARIANTS: String(VARIANTS),
      HEDDLE_EDGES: String(EDGES),
      HEDDLE_EDGES_PART: `${PART}/${PARTS}`,
      HEDDLE_OUTCOME: join(folder, 'outcome.json'),
    }
    const ended = await finished(join(root, '.venv/bin/st'), [...args, ...options], env, PATIENCE, folder)
    code = ended.code

    // Some of the requests in it have no end.
    report = `${ended.stdout}${ended.stderr}`.replaceAll(/(.{400}).*/g, '$1')
    if (!existsSync(env.HEDDLE_OUTCOME)) throw new Error(report)
    outcome = JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8'))
  },
  (PATIENCE + 120) * 1000,
)

afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

/** A valid request of an operation, in a project of its own, as the hooks of Schemathesis read it. */
async function exampleOf(row: Operation): Promise<object> {
  const project = freshProject()
  const [entity, name] = project.split('/')
  const { valid, described } = await row.make({ api: server.api, project, secret: `text-${hex(6)}` })
  const type = described?.type ?? 'application/json'
  const body = described?.body ?? valid.body
  const parameters = { entity, project: name, ...valid.params, ...valid.query, ...valid.headers }
  return { parameters, ...(body !== undefined && { type, body }) }
}

async function newKey(): Promise<string> {
  const { key_id } = await server.api.ok('/keys', KEY)
  return String(key_id)
}

/** Requests about users, teams, roles and invitations that are there. */
async function aboutPeople(): Promise<[string, object][]> {
  const made = async (path: string, body: object) => {
    const { text } = await server.api.post(path, body)
    return JSON.parse(text) as Record<string, string>
  }
  const scope = 'people'
  const username = `service-${hex(4)}`
  const { user_id } = await made('/users', { username, scope })
  const { user_id: other } = await made('/users', { username: `${username}x`, scope })
  const { user_id: kept } = await made('/users', { username: `${username}z`, scope })
  const { team_id } = await made('/teams', { entity: scope, name: hex(4) })
  const invitation = { scope, role: 'viewer' }
  const { token } = await made('/invitations', invitation)
  const { invitation: revoked } = await made('/invitations', invitation)
  const { invitation_id } = revoked as unknown as { invitation_id: string }
  const role = { permissions: ['*:read'], version: 0 }
  await server.api.send('PUT', '/roles/people/gone', role)
  const json = { parameters: {}, type: 'application/json' }
  return [
    ['GET /users/{user_id}', { parameters: { user_id: kept } }],
    ['PATCH /users/{user_id}', { ...json, parameters: { user_id: kept }, body: { active: true } }],
    ['POST /users/{user_id}/hand-over', { ...json, parameters: { user_id }, body: { to: other } }],
    ['PUT /members', { ...json, body: { scope, user_id, role: 'viewer' } }],
    ['POST /members/remove', { ...json, body: { scope, user_id } }],
    ['PUT /teams/{team_id}/members/{user_id}', { parameters: { team_id, user_id } }],
    ['PUT /roles/{entity}/{name}', { ...json, parameters: { entity: scope, name: 'new' }, body: role }],
    ['DELETE /roles/{entity}/{name}', { parameters: { entity: scope, name: 'gone' } }],
    ['POST /invitations', { ...json, body: invitation }],
    ['DELETE /invitations/{invitation_id}', { parameters: { invitation_id } }],
    ['POST /invitations/accept', { ...json, body: { token, username: `${username}y` } }],
  ]
}

/** Only for users who are signed in, and not for a key; test/e2e/people.test.ts has them. */
const OF_USERS = / \/users\/me\/(keys|leave)/

/** A download of a file, as it is signed. */
async function downloadOf(): Promise<object> {
  const project_id = freshProject()
  const { body, headers } = form({ project_id }, 'text')
  const { digest } = await server.api.ok('/file/create', body ?? {}, headers)
  const { download_urls } = await server.api.ok('/files/resolve_url', { project_id, uris: [digest] })
  const { searchParams } = new URL((download_urls as string[])[0]!)
  const { project, expires, signature } = Object.fromEntries(searchParams)
  return { parameters: { digest, project, expires: Number(expires), signature } }
}

/** An upload of media, as it is signed. */
async function uploadOf(): Promise<object> {
  const project = freshProject()
  const sha256Hash = createHash('sha256').update('text').digest('base64')
  const announced = { traceId: 't', field: 'input', contentType: 'text/plain', contentLength: 4, sha256Hash }
  const { uploadUrl } = await server.api.asUser(project).ok('/api/public/media', announced)
  const { pathname, searchParams } = new URL(String(uploadUrl))
  const { bytes, expires, ...more } = Object.fromEntries(searchParams)
  const parameters = { digest: pathname.split('/').at(-1), bytes: Number(bytes), expires: Number(expires) }
  return { parameters: { ...parameters, ...more }, type: 'application/octet-stream', body: 'text' }
}

describe('the description', () => {
  it(`is kept: no answer that it does not have, and no 5xx (HEDDLE_EDGES_PART=${PART})`, () => {
    expect(code, report).toBe(0)
  })

  it('leads to a success of every operation', async () => {
    const { paths } = JSON.parse((await server.api.get('/openapi.json')).text) as {
      paths: Record<string, object>
    }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    // The user name, the same for all here, would have to be a project.
    const here = operations.filter((operation) => {
      const path = operation.split(' ')[1]!
      if (path.match(PASSED_ON) || LANGFUSE.test(path)) return false
      return !OF_BROWSERS.test(path) && !OF_USERS.test(operation)
    })
    const never = here.filter(
      (operation) => !Object.keys(outcome[operation] ?? {}).some((status) => status.startsWith('2')),
    )
    expect(never).toEqual([])
  })
})

/** A file that the application's page loads. */
async function pageFile(): Promise<string> {
  return /\/web\/([^"]+)"/.exec((await server.api.get('/docs')).text)![1]!
}
