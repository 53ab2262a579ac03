/**
 * Links for people without a key: they show one thing, whatever is asked with them, and lead nowhere once they are revoked
 * or expire. And mentions: who is named in a note is told, once, also if the server is killed.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Api, jsonLines, type Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { finished, main } from '../support/command.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { RedisProcess } from '../support/redis.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let redis: RedisProcess
let server: Server
let mailServer: SMTPServer
/** may write another entity */
let stranger: Api
let env: Record<string, string>
const mails: { to: string[]; subject: string; text: string; id: string }[] = []

beforeAll(async () => {
  redis = await RedisProcess.start()
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, session, done) => {
      const { subject = '', text = '', messageId = '' } = await simpleParser(stream)
      mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), subject, text, id: messageId })
      done()
    },
  })
  const smtp = await new Promise<number>((resolve) => {
    const listening = mailServer.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  env = { REDIS_URL: redis.url, HEDDLE_SMTP_URL: `smtp://127.0.0.1:${smtp}` }
  server = await Server.start({ env })
  stranger = server.api.as(await createKey(server, 'globex', 'write'))
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  await new Promise<void>((resolve) => mailServer?.close(resolve))
})

const PROVIDER_KEY = `sk-${'a1B2'.repeat(8)}`
const PNG = 'CustomWeaveType'

/** A project with a trace, and another trace beside it, both with the file that they name. */
async function traces(project = freshProject()) {
  const [secret, trace_id, other_trace] = [`secret-${hex(6)}`, uuid7(), uuid7()]
  const file = async (text: string) => {
    const form = new FormData()
    form.set('project_id', project)
    form.set('file', new Blob([text]), 'image.png')
    const headers = server.api.authorization
    const answer = await fetch(`${server.url}/file/create`, { method: 'POST', body: form, headers })
    return String(((await answer.json()) as Row).digest)
  }
  const [own, others] = [await file('own'), await file(secret)]
  const image = (digest: string) => ({ _type: PNG, files: { 'image.png': digest } })
  const top = complete(project, {
    ...{ trace_id, op_name: 'answer', inputs: { question: 'why', picture: image(own) } },
    attributes: { weave: { os_name: 'host-of-ada' }, user: { id: 'u-1' }, team: 'red' },
    output: { text: `because of ${PROVIDER_KEY}` },
  })
  const child = complete(project, {
    trace_id,
    op_name: 'think',
    parent_id: top.id,
    output: 'hm',
    attributes: { kind: 'LLM' },
    summary: { usage: { 'gpt-4o': { prompt_tokens: 3, note: PROVIDER_KEY } }, more: PROVIDER_KEY },
  })
  const other = complete(project, {
    ...{ trace_id: other_trace, inputs: { secret, picture: image(others) }, output: secret },
  })
  for (const call of [top, child, other])
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
  return {
    project,
    secret,
    root: String(top.id),
    child: String(child.id),
    other: String(other.id),
    trace_id,
    own,
    others,
  }
}

async function shared(project: string, kind: string, target: string, more: object = {}) {
  const made = await server.api.ok('/shares/create', { project_id: project, kind, target, ...more })
  return { id: String(made.id), token: String(made.token), url: String(made.url) }
}

/** Without a key. */
const visitor = () => server.api.as(null)
const look = (token: string, path = ''): Promise<Answer> =>
  visitor().get(`/shared/${encodeURIComponent(token)}${path}`)

/** What every link is answered that leads nowhere. */
function expectNothing({ status, text }: Answer): void {
  expect([status, JSON.parse(text)]).toEqual([404, { code: 'NO_SHARE', reason: expect.any(String) }])
}

describe('a link to a trace', () => {
  it('shows its calls, comments and files, without what says whose they are', async () => {
    const { project, root, child, trace_id, own } = await traces()
    await server.api.ok('/feedback/create', {
      ...{ project_id: project, weave_ref: `weave:///${project}/call/${root}`, creator: 'ada@example.org' },
      ...{ feedback_type: 'wandb.note.1', payload: { note: 'ask bob@example.org' } },
    })
    const object = async (of: string) => {
      const obj = { project_id: of, object_id: 'bot', val: { system: `kind in ${of}`, hidden: 'plan' } }
      return `weave:///${of}/object/bot:${(await server.api.ok('/obj/create', { obj })).digest}`
    }
    const [bot, foreign] = [await object(project), await object(freshProject('globex'))]
    const inputs = { prompt: `${bot}/attr/system`, self: bot, other: `${foreign}/attr/system` }
    const asking = complete(project, { trace_id, parent_id: root, inputs })
    await server.api.ok(v2(project, 'calls/complete'), { batch: [asking] })
    const { token, url } = await shared(project, 'trace', trace_id)
    const { refs } = JSON.parse((await look(token, `/calls/${asking.id}`)).text)
    expect(refs).toEqual({ [`${bot}/attr/system`]: `kind in ${project}` })
    expect(url.endsWith(`/share/${token}`)).toBe(true)
    const about = await look(token)
    expect(JSON.parse(about.text)).toMatchObject({ kind: 'trace', title: 'answer', target: trace_id })
    expect(about.headers).toMatchObject({
      ...{ 'x-robots-tag': expect.stringContaining('noindex'), 'referrer-policy': 'no-referrer' },
      'cache-control': 'no-store',
    })
    const calls = jsonLines((await look(token, '/calls')).text)
    expect(calls.map(({ id }) => id).sort()).toEqual([root, child, asking.id].sort())
    const facts = jsonLines((await look(token, '/facts')).text)
    expect(facts.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort())
    expect(facts.find(({ id }) => id === child)).toEqual({
      ...{ id: child, kind: 'model' },
      summary: {
        usage: { 'gpt-4o': expect.objectContaining({ prompt_tokens: 3 }) },
        weave: { costs: { 'gpt-4o': expect.any(Object) } },
      },
    })
    expect(JSON.stringify(facts)).not.toContain(PROVIDER_KEY)
    const { text } = await look(token, `/calls/${root}`)
    const { call, feedback } = JSON.parse(text)
    expect(call).toMatchObject({ id: root, inputs: { question: 'why' }, attributes: { team: 'red' } })
    expect(feedback).toMatchObject([{ payload: { note: 'ask …' }, creator: null }])
    for (const left of [
      PROVIDER_KEY,
      'host-of-ada',
      'u-1',
      'example.org',
      'user_id',
      'username',
      'thread_id',
    ])
      expect(text).not.toContain(left)
    const file = await look(token, `/calls/${root}/file?uri=${own}`)
    expect([file.status, file.text]).toEqual([200, 'own'])
    expect((await visitor().get(`/share/${token}`)).headers).toMatchObject({
      'x-robots-tag': expect.stringContaining('noindex'),
    })
  })

  it('shows nothing else, whatever is asked with it', async () => {
    const { project, secret, root, other, others, trace_id } = await traces()
    const { token } = await shared(project, 'trace', trace_id)
    const asked = [
      ...[`/calls/${other}`, `/calls/${other}/file?uri=${others}`, `/calls/${root}/file?uri=${others}`],
      ...[`/calls/${root}%2F..%2F${other}`, `/calls/${root}?call_id=${other}`, `/calls?trace_ids=${other}`],
      ...['/evaluation', '/dashboard', `/calls/${encodeURIComponent("' OR 1=1 --")}`],
      `/calls/${root}/file?uri=${encodeURIComponent(`weave:///${project}/object/x:latest`)}`,
    ]
    for (const path of asked) {
      const { status, text } = await look(token, path)
      expect([path, status < 500, text.includes(secret)]).toEqual([path, true, false])
      if (!path.includes('?call_id') && !path.includes('?trace_ids'))
        expect([path, status]).toEqual([path, 404])
    }
    // It is no key.
    const presented: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { 'x-api-key': token },
      { cookie: `heddle_session=${token}` },
    ]
    for (const headers of presented) {
      const { status } = await visitor().post('/calls/stream_query', { project_id: project }, headers)
      expect([401, 403]).toContain(status)
    }
  })

  it('leads nowhere without being told why, if it is guessed, revoked or expired', async () => {
    const { project, trace_id } = await traces()
    const [one, short] = [
      await shared(project, 'trace', trace_id),
      await shared(project, 'trace', trace_id, { seconds: 1 }),
    ]
    for (const token of [one.token.slice(0, -1), `${one.token}A`, one.id, trace_id, '~', '\u0000'])
      expectNothing(await look(token))
    expect((await look(one.token)).status).toBe(200)
    await server.api.ok('/shares/revoke', { project_id: project, share: one.id })
    for (const path of [
      '',
      '/calls',
      '/facts',
      '/evaluation',
      '/dashboard',
      '/calls/x',
      '/calls/x/file?uri=y',
    ])
      expectNothing(await look(one.token, path))
    await until('the link to expire', async () => (await look(short.token)).status === 404)
    expectNothing(await look(short.token))
    const { shares } = await server.api.ok('/shares/query', { project_id: project })
    expect(shares).toMatchObject([{ state: 'expired' }, { state: 'revoked' }])
    expect(JSON.stringify(shares)).not.toContain(one.token)
  })

  it('is made, seen and revoked only by who may write its project; views are counted', async () => {
    const { project, trace_id, root } = await traces()
    const reader = server.api.as(await createKey(server, project, 'read'))
    const body = { project_id: project, kind: 'trace', target: trace_id }
    for (const api of [reader, stranger]) expect((await api.post('/shares/create', body)).status).toBe(403)
    const foreign = { ...body, project_id: 'globex/one' }
    expect((await stranger.post('/shares/create', foreign)).status).toBe(404)
    for (const [more, status] of [
      [{ target: root }, 404],
      [{ seconds: 366 * 86_400 }, 422],
    ] as const)
      expect((await server.api.post('/shares/create', { ...body, ...more })).status).toBe(status)
    const { id, token } = await shared(project, 'trace', trace_id, { note: 'for Cleo' })
    const revoke = { project_id: 'globex/one', share: id }
    expect((await stranger.post('/shares/revoke', revoke)).status).toBe(404)
    await look(token)
    await look(token)
    const listed = async () =>
      ((await reader.ok('/shares/query', { project_id: project })).shares as Row[])[0]
    await until('the views', async () => (await listed())?.views === 2)
    expect(await listed()).toMatchObject({ note: 'for Cleo', created_by: 'dev', state: 'live' })
    const { entries } = await server.api.ok('/audit/query', { scope: project, limit: 100 })
    expect((entries as Row[]).map(({ action }) => action)).toContain('share_create')
  })
})

describe('links to other things', () => {
  it('show an evaluation run with its rows, and neither other runs nor traces', async () => {
    const project = freshProject()
    const ref = (name: string) => `weave:///${project}/object/${name}:v0`
    await server.api.ok(v2(project, 'datasets'), { name: 'rows', rows: [{ q: 1 }] })
    await server.api.ok(v2(project, 'evaluations'), { name: 'eval', dataset: ref('rows') })
    await server.api.ok(v2(project, 'models'), { name: 'gpt', source_code: '#' })
    const run = async (secret: string) => {
      const run = await server.api.ok(v2(project, 'evaluation_runs'), {
        evaluation: ref('eval'),
        model: ref('gpt'),
      })
      const body = {
        model: ref('gpt'),
        inputs: { q: secret },
        output: secret,
        evaluation_run_id: run.evaluation_run_id,
      }
      await server.api.ok(v2(project, 'predictions'), body)
      return String(run.evaluation_run_id)
    }
    const [one, other] = [`one-${hex(4)}`, `other-${hex(4)}`]
    const id = await run(one)
    await run(other)
    const { token } = await shared(project, 'evaluation_run', id)
    const { text, status } = await look(token, '/evaluation?limit=10')
    expect([status, text.includes(one), text.includes(other)]).toEqual([200, true, false])
    expect(JSON.parse(text)).toMatchObject({
      total_rows: 1,
      summary: { evaluations: [{ evaluation_call_id: id }] },
    })
    expectNothing(await look(token, '/calls'))
    expectNothing(await look(token, '/facts'))
    const calls = await server.api.calls(project, { limit: 1, filter: { parent_ids: [id] } })
    const notRun = { project_id: project, kind: 'evaluation_run', target: calls[0]!.id }
    expect((await server.api.post('/shares/create', notRun)).status).toBe(404)
  })

  it('show the charts that a dashboard had, and not those that it gets', async () => {
    const { project } = await traces()
    const saved = (panels: object[]) =>
      server.api.ok('/obj/create', {
        obj: {
          ...{ project_id: project, object_id: 'ops' },
          val: {
            _type: 'Dashboard',
            _class_name: 'Dashboard',
            _bases: ['Object', 'BaseModel'],
            name: 'Ops',
            range: '1h',
            panels,
          },
        },
      })
    await saved([{ metric: 'calls' }, { metric: 'calls', by: 'user' }])
    const { token } = await shared(project, 'dashboard', 'ops')
    await saved([{ metric: 'calls', by: 'op' }])
    const now = new Date().toISOString()
    const call = complete(project, { started_at: now, ended_at: now })
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    const { status, text } = await look(token, '/dashboard')
    expect([status, text.includes('"dev"')]).toEqual([200, false])
    const { name, panels } = JSON.parse(text)
    expect([name, panels.map(({ panel }: Row) => panel)]).toEqual([
      'Ops',
      [{ metric: 'calls' }, { metric: 'calls', by: 'user' }],
    ])
    expect(panels[0].buckets.some((bucket: Row) => Number(bucket.sum_call_count) > 0)).toBe(true)
    expect(
      panels[1].buckets.every(({ group }: Row) => group === null || String(group).startsWith('user ')),
    ).toBe(true)
    await server.api.ok('/obj/delete', { project_id: project, object_id: 'ops' })
    expectNothing(await look(token))
  })
})

it('the commands of the guide work, as they stand there', async () => {
  const { project, trace_id } = await traces('acme/support')
  const ref = (name: string) => `weave:///${project}/object/${name}:v0`
  await server.api.ok(v2(project, 'datasets'), { name: 'rows', rows: [{ q: 1 }] })
  await server.api.ok(v2(project, 'evaluations'), { name: 'eval', dataset: ref('rows') })
  await server.api.ok(v2(project, 'models'), { name: 'gpt', source_code: '#' })
  const asked = { evaluation: ref('eval'), model: ref('gpt') }
  const { evaluation_run_id: run } = await server.api.ok(v2(project, 'evaluation_runs'), asked)
  const val = { _type: 'Dashboard', _class_name: 'Dashboard', _bases: ['Object', 'BaseModel'], panels: [] }
  await server.api.ok('/obj/create', { obj: { project_id: project, object_id: 'ops', val } })
  const guide = readFileSync(join(root, 'docs/guides/sharing.md'), 'utf8')
  const [, block] = /^```sh\n([\s\S]*?)^```$/m.exec(guide)!
  const script = `heddle() { '${process.execPath}' '${main}' "$@"; }\ntrace=${trace_id}\nrun=${run}\n${block}`
  const { code, stdout, stderr } = await finished('bash', ['-euc', script], server.env, 120)
  expect([code, stderr]).toEqual([0, expect.stringContaining('within 10 seconds it leads nowhere')])
  expect(stdout).toContain('"title":"answer"')
  const list = await server.cli('share', 'list', project)
  expect(list).toMatch(/dashboard +ops:\w+ +revoked/)
  expect(list).toMatch(/trace +\S+ +live .* for the vendor/)
})

/** Adds a user with a role, as signing in does. */
async function user(name: string, scope: string, role: string): Promise<string> {
  const { url, username, password } = JSON.parse(readFileSync(join(server.dataDir, 'engine.json'), 'utf8'))
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const id = createHash('sha256').update('heddle user ').update(name).digest('hex').slice(0, 16)
  for (const body of [
    `INSERT INTO users (user_id, username, email, kind, active, ver) VALUES ('${id}', '${name}', '${name}', 'person', 1, 1)`,
    `INSERT INTO memberships (subject, scope, roles, ver) VALUES ('user:${id}', '${scope}', ['${role}'], 1)`,
  ]) {
    const answer = await fetch(url, { method: 'POST', body, headers: { authorization } })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return id
}

describe('mentions', () => {
  const noteOn = (project: string, call: string, note: string, more: object = {}) => ({
    ...{ project_id: project, weave_ref: `weave:///${project}/call/${call}`, creator: 'dev' },
    ...{ feedback_type: 'wandb.note.1', payload: { note }, ...more },
  })
  const inbox = async (api = server.api) =>
    JSON.parse((await api.get('/mentions/own')).text) as { mentions: Row[]; new: number }

  it('tell who may read the project, once, also if the note is sent again, edited or withdrawn', async () => {
    const { project, root } = await traces()
    const key = await createKey(server, project, 'read')
    const bob = `user-${project.replace('/', '-')}`
    const reader = server.api.as(key)
    const { people } = await server.api.ok('/mentions/people', { project_id: project, prefix: 'USER-acme-p' })
    expect((people as Row[]).map(({ username }) => username)).toContain(bob)
    expect(JSON.stringify(people)).not.toContain('user-globex')
    const retry = { 'x-weave-retry-id': uuid7() }
    const body = noteOn(project, root, `look, @${bob}, @user-globex and @nobody.`)
    const first = await server.api.ok('/feedback/create', body, retry)
    await server.api.ok('/feedback/create', body, retry)
    expect(await inbox(reader)).toMatchObject({
      new: 1,
      mentions: [{ by: 'dev', project_id: project, call_id: root, note: body.payload.note, is_new: true }],
    })
    expect(await inbox(stranger)).toEqual({ mentions: [], new: 0 })
    const [{ at } = {} as Row] = (await inbox(reader)).mentions
    await reader.ok('/mentions/seen', { until: at })
    expect((await inbox(reader)).new).toBe(0)
    const edited = { ...noteOn(project, root, `Look again, @${bob}!`), feedback_id: first.id }
    const second = await server.api.ok('/feedback/replace', edited)
    expect(await inbox(reader)).toMatchObject({ new: 0, mentions: [{ note: `Look again, @${bob}!` }] })
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: second.id }] } }
    await server.api.ok('/feedback/purge', { project_id: project, query })
    expect((await inbox(reader)).mentions).toEqual([])
  })

  it('are mailed once to users with an address, without the text, though the server is killed', async () => {
    const { project, root } = await traces()
    const name = `cleo-${hex(3)}@example.org`
    await user(name, project, 'viewer')
    await user(`out-${name}`, 'globex', 'viewer')
    const secret = `hush-${hex(4)}`
    await server.api.ok('/feedback/create', noteOn(project, root, `@${name} @out-${name} ${secret}`))
    const to = () => mails.filter((mail) => mail.to.includes(name))
    server.process.kill('SIGKILL')
    // Its lease is lost with it.
    await redis.kill()
    await redis.again(true)
    server = await Server.start({ env, dataDir: server.dataDir, ports: server.ports })
    await until('the mail', () => to().length > 0)
    const [mail] = to()
    expect(mail!.subject).toBe(`dev mentioned you in a note in ${project}.`)
    expect(mail!.text).toContain(`/${project}/r/call/${root}`)
    expect(mail!.text).not.toContain(secret)
    await server.api.ok('/feedback/create', noteOn(project, root, `@${name} again`))
    await until('the next mail', () => new Set(to().map(({ id }) => id)).size === 2)
    expect(mails.filter((one) => one.to.includes(`out-${name}`))).toEqual([])
    // Mail programs show what has the same id once.
    expect(to().length).toBeLessThanOrEqual(3)
  })
})
