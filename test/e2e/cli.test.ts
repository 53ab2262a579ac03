/** The command line as a person uses it: what it prints, how it ends, and what it leaves behind. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Api } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { type Ended, main, run } from '../support/command.js'
import { KEY } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { freePorts } from '../support/ports.js'
import { isAlive, signal } from '../support/processes.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ANY_PORTS = { HEDDLE_PORT: '0', HEDDLE_METRICS_PORT: '0', HEDDLE_TRAINING_PORT: '0' }

const A_KEY = { HEDDLE_DEV_API_KEY: 'a-key-of-nobody-0123456789' }

/** Runs `heddle` to its end. */
function heddle(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const own = { HEDDLE_DATA_DIR: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'config') }
  return run(process.execPath, [main, ...args], { cwd: folder, env: { ...own, ...env } })
}

describe('a command that can not do what it was asked', () => {
  it.each([
    ['an invalid value', ['up'], { HEDDLE_PORT: 'http' }, 2, 'HEDDLE_PORT is "http"; it must be a port'],
    ['two of them', ['up'], { HEDDLE_PORT: '-1', HEDDLE_LOG_LEVEL: 'loud' }, 2, 'HEDDLE_LOG_LEVEL is "loud"'],
    ['a role without its store', ['query'], { CLICKHOUSE_URL: '' }, 2, 'CLICKHOUSE_URL is not set'],
    ['an unknown command', ['fly'], {}, 2, "unknown command 'fly'"],
    ['a missing option', ['keys', 'create'], {}, 2, "'--user <name>' not specified"],
    ['a grant that is none', ['keys', 'create', '--user', 'a', '--grant', 'all'], {}, 2, 'write scope:right'],
    [
      'a store that is away',
      ['query'],
      { CLICKHOUSE_URL: 'http://127.0.0.1:1' },
      1,
      'ClickHouse at http://127.0.0.1:1 does not answer (ECONNREFUSED); check CLICKHOUSE_URL',
    ],
    ['a client without a key', ['demo'], {}, 2, 'no API key'],
    ['no store in this folder', ['keys', 'revoke', 'nobody'], {}, 2, 'run this in the folder of `heddle up`'],
    ['nothing to back up', ['backup', 'copy'], {}, 2, 'run this in the folder of `heddle up`'],
    ['a project that can be none', ['calls', 'x'], A_KEY, 2, '"x" is not a project; write entity/project'],
    // It says so before it asks a server, of which there is none.
    [
      'a file nobody can write',
      ['export', 'a/b', '--out', '/none/x'],
      A_KEY,
      2,
      "x can't be written: there is no folder /none\n",
    ],
    ['an empty statement', ['sql', 'a/b', ' '], A_KEY, 2, "give a statement: heddle sql me/first 'SELECT"],
    ['no project of jobs', ['jobs', 'list', '--project', 'a/b/c'], A_KEY, 2, 'is neither an entity nor'],
    ['a folder for a file', ['export', 'a/b', '--out', '.'], A_KEY, 2, '. is a folder; name a file'],
    ['no address', ['calls', 'a/b', '--url', 'heddle'], A_KEY, 2, '"heddle" is not an http or https address'],
    ['no address to import', ['import', 'phoenix', 'a', 'a/b', '--from', 'x:1'], A_KEY, 2, '"x:1" is not an'],
    [
      'half a key',
      ['calls', 'a/b', '--key', 'hk_\n'],
      {},
      2,
      'has characters that no key has; copy it again',
    ],
    ['a server that is away', ['calls', 'a/b', '--url', 'http://127.0.0.1:9'], A_KEY, 1, 'no answer from'],
  ])('says so: %s', async (_, args, env, status, text) => {
    const ended = await heddle(args, env as Record<string, string>)
    expect(ended.err).toContain(text)
    expect(ended.status).toBe(status)
    expect(ended.err).not.toMatch(/\n\s+at /)
  })

  it.each([
    [['costs', 'load', 'none.json']],
    [['import', 'jsonl', 'none.json', 'a/b']],
    [['train', 'none.json', '--model', 'm']],
    [['calls', 'a/b', '--filter', '@none.json']],
  ])('%j says that there is no such file', async (args) => {
    const { err, status } = await heddle(args, A_KEY)
    expect([err, status]).toEqual(["heddle: none.json can't be read: there is no such file\n", 2])
  })

  it('makes no data folder for that', async () => {
    const dataDir = join(folder, 'none')
    for (const args of [['projects'], ['calls', 'a/b'], ['backup', 'copy'], ['migrate', '--check']])
      expect((await heddle(args, { HEDDLE_DATA_DIR: dataDir })).status).toBe(2)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('makes no folder for a backup that is not there', async () => {
    const none = join(folder, 'no backup')
    expect((await heddle(['restore', none])).err).toContain('no complete backup in')
    expect((await heddle(['backup', join(folder, 'copy'), '--base', none])).err).toContain('no backup in')
    expect(existsSync(none)).toBe(false)
  })

  it('says what a misspelt variable may have meant', async () => {
    const { err } = await heddle(['migrate', '--print'], { HEDDLE_LOG_LEVLE: 'info' })
    expect(err).toContain('unknown variable HEDDLE_LOG_LEVLE; did you mean HEDDLE_LOG_LEVEL?')
  })
})

describe('without a server', () => {
  it('help names the environment that a command reads', async () => {
    const { out, status } = await heddle(['up', '--help'])
    expect(status).toBe(0)
    for (const name of ['HEDDLE_PORT', 'CLICKHOUSE_URL', 'HEDDLE_DEV_API_KEY']) expect(out).toContain(name)
  })
  it('migrate prints the SQL of a cluster', async () => {
    const { out } = await heddle(['migrate', '--print'], { CLICKHOUSE_CLUSTER: 'main' })
    expect(out).toContain("CREATE TABLE IF NOT EXISTS calls_local ON CLUSTER 'main'")
    expect(out).toContain(
      "ENGINE = Distributed('main', currentDatabase(), 'calls_local', cityHash64(project_id, id))",
    )
  })
  it('one whose reader has gone ends quietly', async () => {
    const child = spawn(process.execPath, [main, 'migrate', '--print'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    const [err, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([err, status]).toEqual(['', 0])
  })
  it('migrate does it once, and other commands use what it made', async () => {
    const env = { HEDDLE_DATA_DIR: join(folder, 'migrated') }
    expect((await heddle(['migrate'], env)).err).toContain('applied')
    expect((await heddle(['migrate'], env)).err).toContain('nothing to do')
    expect((await heddle(['keys', 'revoke', 'nobody'], env)).err).toContain('key not found')
    const said = await heddle(['retention', 'set', 'acme', '2w'], env)
    expect(said.err).toMatch(/^calls of acme are kept for 14 days; /)
  })
  it('the doctor ends with status 1 where something is broken', async () => {
    const { out, status } = await heddle(['doctor'], {
      ...ANY_PORTS,
      REDIS_URL: 'redis://:a-secret@127.0.0.1:1',
    })
    expect([status, out]).toEqual([
      1,
      expect.stringMatching(/FAIL +redis .*ECONNREFUSED[^→]+→ check REDIS_URL/),
    ])
    expect(out).not.toContain('a-secret')
  })
  it('the doctor finds this machine well', async () => {
    const { out, status } = await heddle(['doctor'], ANY_PORTS)
    expect([status, out]).toEqual([0, expect.stringMatching(/ok +runtime[\s\S]+ok +store/)])
  })
})

describe('heddle up', () => {
  let first: Server
  let second: Server
  beforeAll(async () => {
    first = await Server.start({ env: { HEDDLE_DEV_API_KEY: '' } })
  })
  afterAll(() => (second ?? first)?.dispose())

  it('makes a key at first run, keeps it for this user alone, and names its file where no person reads along', async () => {
    const file = join(first.dataDir, 'dev-api-key')
    const key = readFileSync(file, 'utf8').trim()
    expect(key).toMatch(/^hk_\w{43}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(first.output).toContain(`WANDB_API_KEY="$(cat '${file}')"`)
    expect(first.output).not.toContain(key)
    expect(statSync(join(first.dataDir, 'clickhouse')).mode & 0o777).toBe(0o700)
    expect(statSync(join(first.dataDir, 'engine.json')).mode & 0o777).toBe(0o600)
    expect(await first.stop()).toBe(0)
    expect(existsSync(join(first.dataDir, 'engine.json'))).toBe(false)
    const env = { HEDDLE_DEV_API_KEY: '', HEDDLE_STOP_SECONDS: '600' }
    second = await Server.start({ dataDir: first.dataDir, env })
    expect(readFileSync(file, 'utf8').trim()).toBe(key)
    const project = freshProject()
    const batch = [complete(project)]
    expect((await second.api.as(key).post(v2(project, 'calls/complete'), { batch })).status).toBe(200)
  })

  it('ends at once at the second signal', async () => {
    const [engine] = second.children()
    // A stalled store holds the clean stop up.
    signal(engine!, 'SIGSTOP')
    signal(second.pid, 'SIGTERM')
    await until('it to be stopping', async () => second.output.includes('stopping'), 10)
    signal(second.pid, 'SIGTERM')
    await until('it to end', () => second.ended, 5)
    expect(second.process.exitCode).toBe(1)
    signal(engine!, 'SIGKILL')
  })
})

describe('one that runs', () => {
  const secrets = { HEDDLE_DEV_API_KEY: KEY, OPENAI_API_KEY: 'sk-secret-2', MY_TOKEN: 'secret-3' }
  let server: Server
  beforeAll(async () => {
    server = await Server.start({ env: secrets })
  })
  afterAll(() => server?.dispose())
  /** Its folder: the store of a command there is that of the server that runs. */
  const store = () => ({ HEDDLE_DATA_DIR: server.dataDir })

  it('hands its credentials to no child that does not read them', () => {
    const environments = server.children().map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'))
    expect(environments.length).toBeGreaterThan(0)
    for (const environment of environments) {
      expect(environment).toContain('PATH=')
      for (const secret of Object.values(secrets)) expect(environment).not.toContain(secret)
    }
  })

  it('has the demo, and the export holds it', async () => {
    const env = { HEDDLE_PORT: String(server.ports[0]), HEDDLE_DEV_API_KEY: server.key }
    // A name that a path has to escape.
    const project = 'me/50%25?#demo'
    const demo = await heddle(['demo', '--project', project], env)
    expect([demo.status, demo.out]).toEqual([0, expect.stringContaining(`Logged 4 calls into ${project}`)])
    expect(demo.out).not.toContain(server.key)
    expect(demo.out).toMatch(/├ lookup_cache +6 ms +KeyError/)
    const file = join(folder, 'out.jsonl')
    const exported = await heddle(['export', project, '--out', file], env)
    expect([exported.status, exported.err]).toEqual([0, expect.stringContaining(`wrote 4 calls to ${file}`)])
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).op_name).sort()).toEqual([
      'answer_question',
      'chat',
      'lookup_cache',
      'search',
    ])
    const streamed = await heddle(['export', project, '--out', '-'], env)
    expect(streamed.out).toBe(readFileSync(file, 'utf8'))
    expect(existsSync(join(folder, '-'))).toBe(false)

    const select = 'SELECT op_name, count() AS n FROM calls WHERE op_name = {op:String} GROUP BY op_name'
    const found = await heddle(['sql', project, select, '--param', 'op=search'], env)
    expect([found.status, found.out]).toEqual([0, 'op_name  n\nsearch   1\n'])
    const table = join(folder, 'ops.csv')
    await heddle(['sql', project, 'SELECT op_name FROM calls ORDER BY op_name LIMIT 1', '--out', table], env)
    expect(readFileSync(table, 'utf8')).toBe('"op_name"\n"answer_question"\n')
    const refused = await heddle(['sql', project, 'SELECT * FROM keys'], env)
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('there is no table "keys"')])

    const listed = await heddle(['calls', project, '--roots'], env)
    expect(listed.out).toMatch(
      /^STARTED +ID +OP +DURATION +ERROR\n\S+ \S+ +\S+ +answer_question +1,840 ms\n$/,
    )
    const failed = JSON.parse((await heddle(['calls', project, '--errors', '--json'], env)).out)
    expect(failed).toMatchObject([
      { op_name: 'lookup_cache', exception: expect.stringContaining('KeyError') },
    ])
    const filter = '{"$eq":[{"$getField":"inputs.model"},{"$literal":"demo-model"}]}'
    const chats = JSON.parse((await heddle(['calls', project, '--json', '--filter', filter], env)).out)
    expect(chats).toMatchObject([{ op_name: 'chat' }])
    const shown = await heddle(['call', project, failed[0].id], env)
    expect(shown.out).toMatch(/^answer_question +1,840 ms\n[\s\S]*├ lookup_cache ← +6 ms +KeyError/)
    const chatted = await heddle(['call', project, chats[0].id], env)
    expect(chatted.out).toContain('demo-model: 12 input tokens, 11 output tokens, no price\n')
    expect(chatted.out).toContain('\n  user: How tall is the Zugspitze?\n')
    expect(chatted.out).toContain('\n  assistant: The Zugspitze is 2,962 m high.\n')
    const missing = await heddle(['call', project, 'nobody'], env)
    expect([missing.status, missing.err]).toEqual([1, expect.stringContaining('call not found: nobody')])
    const projects = JSON.parse((await heddle(['projects', '--json'], store())).out)
    expect(projects).toEqual([{ project, newest_call: expect.stringMatching(/^20\S+Z$/) }])

    // Another server by name: nothing of this one is in the environment.
    const named = ['context', 'set', 'team', '--url', server.url, '--key', server.key]
    expect(await heddle(named)).toMatchObject({ status: 0, out: '' })
    const there = await heddle(['calls', project, '--roots', '--context', 'team'])
    expect([there.err, there.out]).toEqual(['', listed.out])
    await heddle(['context', 'use', 'team'])
    expect((await heddle(['calls', project, '--roots'])).out).toBe(listed.out)
    // There is no store in this folder: it is the other server's that these are about.
    const there2 = await heddle(['projects', '--json'])
    expect(JSON.parse(there2.out)).toContainEqual({ project, created_at: expect.stringMatching(/^20\S+Z$/) })
    const made = await heddle(['keys', 'create', '--user', 'ann', '--grant', 'me:read'])
    expect([made.status, made.out]).toEqual([0, expect.stringMatching(/^hk_\w+\n$/)])
    const ann = async () =>
      (
        JSON.parse((await heddle(['keys', 'list', '--json'])).out) as { key_id: string; username: string }[]
      ).filter(({ username }) => username === 'ann')
    const [of] = await ann()
    expect((await heddle(['keys', 'revoke', of!.key_id])).status).toBe(0)
    expect(await ann()).toEqual([])
    expect((await heddle(['retention', 'set', 'me/kept', '2w'])).err).toBe(
      'calls of me/kept are kept for 14 days\n',
    )
    expect((await heddle(['retention', 'show', 'me/kept'])).out).toBe(
      'calls of me/kept are kept for 14 days\n',
    )
    expect((await heddle(['secrets', 'list', '--json'])).out).toBe('[]\n')
    for (const only of [
      ['retention', 'cap', 'off'],
      ['retention', 'run'],
      ['secrets', 'set', 'me', 'KEY', '--for', '*'],
      ['secrets', 'delete', 'me', 'KEY'],
    ])
      expect((await heddle(only)).err).toContain('or use --context local')
    // Who reads no further ends it quietly.
    const env2 = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config') }
    const piped = ['-o', 'pipefail', '-c', `'${process.execPath}' '${main}' calls ${project} --json | true`]
    expect(await promisify(execFile)('bash', piped, { env: env2, cwd: folder })).toMatchObject({ stderr: '' })
    const contexts = await heddle(['context', 'list', '--json'])
    expect(contexts.out).not.toContain(server.key)
    expect(JSON.parse(contexts.out)).toMatchObject([{ name: 'local' }, { name: 'team', current: true }])
    await heddle(['context', 'remove', 'team'])

    const empty = await heddle(['export', 'none/none', '--out', '-'], env)
    expect([empty.status, empty.err]).toEqual([1, expect.stringContaining('none/none has no calls')])
    const stranger = await heddle(['calls', project], { ...env, ...A_KEY })
    expect(stranger.err).toContain('does not accept the API key; check --key')
    for (const { err } of [empty, stranger, missing])
      expect(err).not.toMatch(/\b[45]\d\d\b|answered|stream_query/)
  })

  it('keeps objects, rows and prompts as they were given, and names their versions', async () => {
    const env = { HEDDLE_PORT: String(server.ports[0]), HEDDLE_DEV_API_KEY: server.key }
    const project = freshProject()
    const [rows, prompt, made, pulled] = ['rows.jsonl', 'prompt.json', 'made.json', 'pulled.jsonl'].map(
      (name) => join(folder, name),
    )
    const lines = '{"q":"a","n":12345678901234567890,"x":1.0}\n{"q":"b"}\n'
    writeFileSync(rows!, lines)
    writeFileSync(prompt!, '[{"role":"user","content":"{q}"}]')
    writeFileSync(made!, '{"a":1.0}')
    const run = (...args: string[]) => heddle(args, env)

    expect(await run('datasets', 'push', project, 'two', rows!)).toMatchObject({
      ...{ status: 0, err: 'published 2 rows\n' },
      out: expect.stringMatching(new RegExp(`^weave:///${project}/object/two:\\w+\n$`)),
    })
    expect((await run('datasets', 'pull', project, 'two:v0')).out).toBe(lines)
    expect((await run('datasets', 'pull', project, 'two', '--out', pulled!)).err).toBe(
      `wrote 2 rows to ${pulled}\n`,
    )
    expect(readFileSync(pulled!, 'utf8')).toBe(lines)
    expect(await run('datasets', 'push', project, 'two', main)).toMatchObject({ status: 2, out: '' })

    await run('prompts', 'push', project, 'ask', prompt!)
    writeFileSync(prompt!, 'Say {q}.\n')
    await run('prompts', 'push', project, 'ask', prompt!)
    expect((await run('prompts', 'label', project, 'ask:v0', 'production')).err).toBe(
      'ask v0 is production now\n',
    )
    expect(JSON.parse((await run('prompts', 'get', project, 'ask@production', '--json')).out)).toMatchObject({
      ...{ aliases: ['production'], prompt: [{ role: 'user', content: '{q}' }] },
    })
    expect((await run('prompts', 'get', project, 'ask')).out).toBe('Say {q}.\n')
    expect((await run('prompts', 'get', project, 'two')).err).toContain('two is not a prompt')
    expect((await run('prompts', 'list', project, '--versions')).out).toMatch(
      /ask +v1 .*\nask +v0 .* production\n$/,
    )

    expect(JSON.parse((await run('objects', 'create', project, 'thing', made!, '--json')).out)).toEqual({
      ref: expect.stringMatching(new RegExp(`^weave:///${project}/object/thing:\\w+$`)),
    })
    const listed = JSON.parse((await run('objects', 'list', project, '--json')).out) as {
      object_id: string
    }[]
    expect(listed.map(({ object_id: id }) => id).sort()).toEqual(['ask', 'thing', 'two'])
  })

  it('takes feedback, follows calls as they end, and knows the addresses of pages', async () => {
    const env = { HEDDLE_PORT: String(server.ports[0]), HEDDLE_DEV_API_KEY: server.key }
    const project = freshProject()
    const log = async (op_name: string) => {
      const now = new Date().toISOString()
      const call = complete(project, { op_name, started_at: now, ended_at: now })
      await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
      return String(call.id)
    }
    const id = await log('first')
    const run = (...args: string[]) => heddle(args, env)
    expect((await run('feedback', 'add', project, id, '--reaction', '👍')).status).toBe(0)
    expect((await run('feedback', 'add', project, id, '--type', 'mine', '--payload', '{"v":1}')).status).toBe(
      0,
    )
    expect((await run('feedback', 'add', project, id, '--type', 'mine')).status).toBe(2)
    const given = JSON.parse(
      (await run('feedback', 'list', project, '--call', id, '--type', 'mine', '--json')).out,
    )
    expect(given).toMatchObject([{ payload: { v: 1 }, weave_ref: `weave:///${project}/call/${id}` }])

    const child = spawn(process.execPath, [main, 'tail', project, '-f', '--op', 'first'], {
      env: { ...process.env, ...env, HEDDLE_DATA_DIR: folder, XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let out = ''
      child.stdout.on('data', (piece) => (out += piece))
      await until('the call that was there', () => out.includes(id))
      await log('second')
      const next = await log('first')
      await until('the next one', () => out.includes(next))
      expect(out.trimEnd().split('\n')).toHaveLength(2)
    } finally {
      child.kill()
    }

    expect((await run('open', project, id, '--print')).out).toBe(`${server.url}/${project}/r/call/${id}\n`)
    expect((await run('open', project, '--run', 'a', '--run', 'b', '--print')).out).toBe(
      `${server.url}/${project}/weave/evaluations/compare?runs=a%2Cb\n`,
    )
  })

  it('says what retention holds from now on', async () => {
    const said = async (...words: string[]) => (await heddle(['retention', ...words], store())).err
    expect(await said('set', 'acme', '2w')).toMatch(/^calls of acme are kept for 14 days; /)
    expect(await said('set', 'acme', 'inherit')).toBe('acme has no policy of its own now\n')
    expect(await said('cap', '500GiB')).toMatch(/^past 500\.0 GiB /)
    expect(await said('set', 'acme', 'soon')).toContain('soon is not a duration such as 30d')
  })

  it('keeps its port and its data folder: another ends with a sentence', async () => {
    const port = String(server.ports[0])
    const taken = await heddle(['up'], { ...ANY_PORTS, HEDDLE_PORT: port })
    expect([taken.status, taken.err]).toEqual([
      1,
      `heddle: port ${port} on 127.0.0.1 is taken; set HEDDLE_PORT to another port\n`,
    ])
    // What is started beside it is on its way, and may be far enough to log; nobody else says anything.
    const owned = await heddle(['up'], { ...ANY_PORTS, HEDDLE_DATA_DIR: server.dataDir })
    expect([owned.status, owned.err.replaceAll(/^\{"level":"info",.*\}\n/gm, '')]).toEqual([
      1,
      `heddle: Another process is using the data folder ${join(server.dataDir, 'clickhouse')}: stop it, or choose another folder.\n`,
    ])
    expect((await server.api.get('/health')).status).toBe(200)
  })

  it('shares its store and its keys with ingest and query, each a process of its own', async () => {
    const roles: ChildProcess[] = []
    try {
      const { url, username, password } = JSON.parse(
        readFileSync(join(server.dataDir, 'engine.json'), 'utf8'),
      )
      const store = { CLICKHOUSE_URL: url, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password }
      const start = async (role: string) => {
        const [port = 0, metrics = 0] = await freePorts(2)
        const env = {
          ...process.env,
          ...store,
          HEDDLE_PORT: String(port),
          HEDDLE_METRICS_PORT: String(metrics),
        }
        const child = spawn(process.execPath, [main, role], { env, stdio: 'ignore' })
        roles.push(child)
        const readyz = () => fetch(`http://127.0.0.1:${metrics}/readyz`)
        await until(`${role} to be ready`, async () => (await readyz()).ok)
        return new Api(`http://127.0.0.1:${port}`, server.key)
      }
      const [ingest, query] = await Promise.all([start('ingest'), start('query')])
      const project = freshProject()
      const made = await heddle(['keys', 'create', '--user', 'eve', '--grant', `${project}:write`], store)
      const key = made.out.trim()
      const write = () => ingest.as(key).post(v2(project, 'calls/complete'), { batch: [complete(project)] })
      const read = () => query.as(key).post('/service/projects_info', { project_ids: [project] })
      expect([(await write()).status, (await read()).status]).toEqual([200, 200])
      expect((await query.post(v2(project, 'calls/complete'), { batch: [] })).status).toBe(404)
      const powerless = await heddle(['keys', 'create', '--user', 'mallory'], store)
      expect(powerless.err).toContain('no rights')
      const nobody = query.as(powerless.out.trim())
      expect((await nobody.post('/service/projects_info', { project_ids: [project] })).status).toBe(403)
      expect((await heddle(['keys', 'revoke', key], store)).status).toBe(0)
      const both = async () =>
        [(await write()).status, (await read()).status].every((status) => status === 401)
      await until('the key to end in both', both)
      expect(await ingest.get('/health')).toMatchObject({ status: 200 })
      const run = (query: string) =>
        fetch(url, {
          method: 'POST',
          body: query,
          headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
        })
      await run("INSERT INTO migrations (file, checksum, program) VALUES ('9999_later.sql', '', '9.8.7')")
      for (const old of ['query', 'evaluation-worker', 'migrate'])
        expect(
          await heddle([old], { ...ANY_PORTS, ...store, REDIS_URL: 'redis://127.0.0.1:1' }),
        ).toMatchObject({
          status: 1,
          err: expect.stringContaining('it lacks 9999_later.sql; run Heddle 9.8.7 or later'),
        })
      await run("ALTER TABLE migrations DELETE WHERE file = '9999_later.sql' SETTINGS mutations_sync = 1")
      for (const child of roles) child.kill('SIGTERM')
      await until('both to end', () => roles.every((child) => child.exitCode === 0))
    } finally {
      for (const child of roles) child.kill('SIGKILL')
    }
  })

  it('takes its engine along when it dies', async () => {
    const children = server.children()
    expect(children.length).toBeGreaterThan(0)
    signal(server.pid, 'SIGKILL')
    await until('the engine to end', () => !children.some(isAlive))
  })
})
