/**
 * The audit log: what is in it and what is not, who may read it, that a server killed at any moment leaves no change
 * without its line, and that whatever is done to the table is found.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, jsonLines, type Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { finished, main } from '../support/command.js'
import { freshProject } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { Receiver } from '../support/receiver.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const secret = `whsec_${randomBytes(32).toString('base64')}`
let env: Record<string, string>
let receiver: Receiver
let server: Server
beforeAll(async () => {
  receiver = await Receiver.start()
  env = {
    HEDDLE_SECRETS_KEY: 'a key that only tests have',
    HEDDLE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1',
    HEDDLE_AUDIT_WEBHOOK: `${receiver.url}/siem`,
    HEDDLE_AUDIT_WEBHOOK_SECRET: secret,
  }
  server = await Server.start({ env })
})
afterAll(async () => {
  await server?.dispose()
  receiver?.stop()
})

/** Asks the engine itself, as somebody does who has broken in. */
async function engine(query: string): Promise<string> {
  const { url, username, password } = JSON.parse(readFileSync(join(server.dataDir, 'engine.json'), 'utf8'))
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(url, { method: 'POST', body: query, headers: { authorization } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

const rows = async (query: string) => jsonLines(await engine(`${query} FORMAT JSONEachRow`))

interface Entry extends Row {
  action: string
  outcome: string
  username: string
  target: Row
}

async function entries(filter: object, as = server.api): Promise<Entry[]> {
  return (await as.ok('/audit/query', { scope: '*', limit: 1000, ...filter })).entries as unknown as Entry[]
}

const verify = (heads: Json = []) => server.api.ok('/audit/verify', { heads })
const cli = (...args: string[]) => finished(process.execPath, [main, ...args], server.env, 120, root)

describe('what was done', () => {
  it('is there with who did it, to what, from where, and how it went', async () => {
    const project = freshProject()
    await server.api.ok('/project/ttl_settings/update', { project_id: project, retention_days: 7 })
    const [entry] = await entries({ scope: project })
    expect(entry).toMatchObject({
      ...{ action: 'ttl_settings_update', category: 'settings', outcome: 'ok', status: 200, username: 'dev' },
      ...{ project, entity: project.split('/')[0], remote_address: '127.0.0.1', error_code: null },
      target: { retention_days: 7 },
      lines: [{ phase: 'begin' }, { phase: 'end' }],
    })
  })

  it('says so if it failed', async () => {
    const project = freshProject()
    await server.api.post('/alerts/delete', { project_id: project, alert: 'nope' })
    expect(await entries({ scope: project })).toMatchObject([
      {
        action: 'alert_delete',
        outcome: 'failed',
        status: 404,
        error_code: 'NOT_FOUND',
        target: { alert: 'nope' },
      },
    ])
  })

  it('by commands on this machine is there, too', async () => {
    await server.cliWith('sk-of-a-provider', 'secrets', 'set', 'acme/one', 'KEY', '--for', '*')
    const key = await createKey(server, 'acme', 'read')
    await server.cli('keys', 'revoke', key)
    const done = await entries({
      user: `cli:${(await cli('audit', 'list', '--json')).stdout.match(/cli:([^"]+)"/)?.[1]}`,
    })
    expect(done.map(({ action, outcome }) => [action, outcome])).toEqual(
      expect.arrayContaining([
        ['secrets set', 'ok'],
        ['keys create', 'ok'],
        ['keys revoke', 'ok'],
      ]),
    )
    const [revoked, created] = await entries({ scope: 'acme', category: 'access' })
    expect([revoked!.target.key_id, revoked!.action]).toEqual([created!.target.key_id, 'keys revoke'])
  })

  it('is found by each filter, page by page', async () => {
    const project = freshProject()
    for (const keep of [true, false, true])
      await server.api.ok('/project/token_ids_settings/update', { project_id: project, keep })
    const asked = { scope: project, limit: 2 }
    const first = await server.api.ok('/audit/query', asked)
    const second = await server.api.ok('/audit/query', { ...asked, cursor: first.next_cursor! })
    const all = [...(first.entries as Json[]), ...(second.entries as Json[])] as unknown as Entry[]
    expect(all.map(({ target }) => target.keep)).toEqual([true, false, true])
    expect(second.next_cursor).toBeNull()
    const since = all[1]!.began_at!
    const counts = async (filter: object) => (await entries({ scope: project, ...filter })).length
    expect(await counts({ since })).toBe(2)
    expect(await counts({ until: since })).toBe(1)
    expect(
      await counts({ user: 'dev', category: 'settings', action: 'token_ids_settings_update', outcome: 'ok' }),
    ).toBe(3)
    for (const none of [{ user: 'x' }, { category: 'export' }, { action: 'x' }, { outcome: 'failed' }])
      expect(await counts(none)).toBe(0)
  })

  it('is exported as JSON lines and as CEF, which is in the log', async () => {
    const project = freshProject()
    await server.api.ok('/project/ttl_settings/update', { project_id: project, retention_days: 7 })
    const action = 'ttl_settings_update'
    const since = '2026-01-01T00:00:00Z'
    const lines = await server.api.lines('/audit/export', { scope: project, action, since })
    expect(await server.api.lines('/audit/export', { scope: project, until: since })).toEqual([])
    expect(lines.map(({ phase }) => phase)).toEqual(['begin', 'end'])
    const { text } = await server.api.post('/audit/export', { scope: project, action, format: 'cef' })
    expect(text).toMatch(
      /^CEF:0\|Heddle\|Heddle\|[^|]+\|ttl_settings_update\|settings ttl_settings_update\|3\|rt=\d+ suser=dev /,
    )
    expect((await entries({ scope: project, category: 'export' })).length).toBe(3)
    const { stdout } = await cli('audit', 'export', '--scope', project, '--action', action)
    expect(jsonLines(stdout)).toEqual(lines)
  })

  it('is nothing where calls are written and read', async () => {
    const project = freshProject()
    await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
    await server.api.calls(project)
    expect(await entries({ scope: project })).toEqual([])
  })
})

describe('who was not let in', () => {
  it('is there once for each refusal, up to a number in a minute, and then counted', async () => {
    const project = freshProject()
    const key = await createKey(server, freshProject(), 'write')
    for (let i = 0; i < 30; i++) {
      const { status } = await server.api.as(key).post('/alerts/delete', { project_id: project, alert: 'a' })
      expect(status).toBe(403)
    }
    const refused = await entries({ scope: project })
    expect(refused.length).toBeGreaterThan(0)
    // A minute may end meanwhile.
    expect(refused.length).toBeLessThanOrEqual(20)
    expect(new Set(refused.map(({ outcome, error_code }) => `${outcome} ${error_code}`))).toEqual(
      new Set(['refused NO_RIGHT']),
    )
  })

  it('may be somebody with a wrong key, who signs in or not', async () => {
    const wrong = 'a-key-that-nobody-has'
    expect((await server.api.as(null).post('/session', { key: wrong })).status).toBe(401)
    expect((await server.api.as(wrong).send('DELETE', '/keys/some-key')).status).toBe(401)
    // Their lines are written after the answer.
    const refused = () => entries({ outcome: 'refused', category: 'access' })
    const signIn = { action: 'session_open', error_code: 'BAD_KEY', username: '' }
    const revocation = { action: 'key_revoke', error_code: 'BAD_KEY', target: { key_id: 'some-key' } }
    for (const one of [signIn, revocation])
      await expect.poll(refused).toContainEqual(expect.objectContaining(one))
  })

  it('signs in with one line that says who', async () => {
    expect((await server.api.as(null).post('/session', { key: server.key })).status).toBe(200)
    const [entry] = await entries({ action: 'session_open', outcome: 'ok' })
    expect(entry).toMatchObject({ username: 'dev', lines: [{ phase: 'done' }] })
  })

  it('reads nothing of others', async () => {
    const [mine, theirs] = [freshProject(), freshProject()]
    for (const project of [mine, theirs])
      await server.api.ok('/project/ttl_settings/update', { project_id: project, retention_days: 7 })
    const [entity = ''] = mine.split('/')
    const own = server.api.as(await createKey(server, mine, 'admin'))
    expect((await entries({ scope: mine }, own)).map(({ project }) => project)).toEqual([mine])
    for (const scope of ['*', theirs, ...(theirs.startsWith(`${entity}/`) ? [] : [theirs.split('/')[0]!])]) {
      expect((await own.post('/audit/query', { scope })).status).toBe(403)
      expect((await own.post('/audit/export', { scope })).status).toBe(403)
    }
    expect((await own.post('/audit/verify', {})).status).toBe(403)
    const writer = server.api.as(await createKey(server, mine, 'write'))
    expect((await writer.post('/audit/query', { scope: mine })).status).toBe(403)
  })
})

it('no key, secret or address that was sent is in the log, or in what the server prints', async () => {
  const project = freshProject()
  const secrets = [
    'https://hooks.invalid/s3cr3t-path',
    's3cr3t-description',
    's3cr3t-wrong-key',
    's3cr3t-value',
  ]
  const made = await server.api.ok('/keys', { grants: [{ scope: project, right: 'write' }] })
  const saved = await server.api.ok('/notifications/channels/save', {
    ...{ project_id: project, name: 'hook', channel: { type: 'webhook', url: secrets[0] } },
  })
  await server.api.ok('/alerts/save', {
    ...{ project_id: project, name: 'a', description: secrets[1], message: secrets[1], alert_at: 1 },
    source: { type: 'calls', metric: 'call_count', aggregation: 'sum' },
  })
  await server.api.as(null).post('/session', { key: secrets[2]! })
  await server.api.as(secrets[2]!).send('DELETE', '/keys/k')
  await server.cliWith(secrets[3]!, 'secrets', 'set', project, 'KEY', '--for', 'https://provider.invalid')
  const sent = [
    ...secrets,
    made.key as string,
    saved.signing_secret as string,
    server.key,
    'provider.invalid',
  ]
  const table = await engine('SELECT * FROM audit FORMAT JSONEachRow')
  expect(table).toContain(made.key_id as string)
  for (const secret of sent) {
    expect(table).not.toContain(secret)
    expect(server.output).not.toContain(secret)
  }
})

it('a server that is killed at any moment leaves no change without its line, and a whole log', {
  timeout: 240_000,
}, async () => {
  const { ports, dataDir } = server
  const heads: Json[] = []
  for (let round = 0; round < 4; round++) {
    let going = true
    const work = Array.from({ length: 4 }, async (_, worker) => {
      for (let i = 0; going; i++) {
        try {
          const name = `killed-${round}-${worker}-${i}`
          const grants = [{ scope: 'acme/killed', right: 'read' }]
          const made = await server.api.post('/keys', { username: name, grants })
          const { key_id } = JSON.parse(made.text) as Row
          if (i % 2 === 0) await server.api.send('DELETE', `/keys/${key_id}`)
        } catch {
          // The connection ended with the server.
          if (going) throw new Error('the server ended by itself')
        }
      }
    })
    // Each round is killed after another number of changes.
    await expect
      .poll(
        async () =>
          Number(
            (
              await rows(`SELECT count() AS n FROM api_keys WHERE startsWith(username, 'killed-${round}-')`)
            )[0]!.n,
          ),
        { timeout: 60_000 },
      )
      .toBeGreaterThan(3 + 5 * round)
    going = false
    await server.kill()
    await Promise.all(work)
    server = await Server.start({ env, dataDir, ports })
    const checked = await verify(heads)
    expect(checked.problems).toEqual([])
    heads.push(...(checked.heads as Json[]))
  }
  const keys = await rows(
    "SELECT username, key_id, revoked_at > toDateTime(0) AS revoked FROM api_keys FINAL WHERE startsWith(username, 'killed-')",
  )
  expect(keys.length).toBeGreaterThan(20)
  const lines = await rows('SELECT phase, id, action, target, chain, seq FROM audit')
  const begun = lines.filter(({ phase }) => phase === 'begin')
  const targets = begun.map(({ action, target }) => `${action} ${target}`)
  for (const { username, key_id, revoked } of keys) {
    expect(targets.some((text) => text.startsWith('key_create') && text.includes(`"${username}"`))).toBe(true)
    if (revoked) expect(targets).toContain(`key_revoke {"key_id":"${key_id}"}`)
  }
  const ids = new Set(begun.map(({ id }) => id))
  for (const { phase, id } of lines) if (phase === 'end') expect(ids).toContain(id)
  // What was under way is shown as such.
  const ended = new Set(lines.filter(({ phase }) => phase === 'end').map(({ id }) => id))
  const open = begun.filter(({ id }) => !ended.has(id)).length
  expect((await entries({ outcome: 'unknown' })).length).toBe(open)
})

it('the webhook gets every line, signed, those of a chain in order, whatever it answered meanwhile', {
  timeout: 120_000,
}, async () => {
  const siem = () => receiver.got.filter(({ path }) => path === '/siem')
  let answers = 0
  receiver.answer = (response) => response.writeHead(answers++ === 0 ? 500 : 200).end()
  const project = freshProject()
  await server.api.ok('/project/ttl_settings/update', { project_id: project, retention_days: 7 })
  const taken = () => siem().flatMap(({ body }) => (JSON.parse(body) as { data: Row[] }).data)
  await expect
    .poll(() => taken().filter((line) => line.project === project).length, { timeout: 60_000 })
    .toBeGreaterThan(1)
  await until('all lines to have arrived', async () => {
    const [{ n } = { n: 1 }] = await rows(
      'SELECT count() AS n FROM audit LEFT ANY JOIN (SELECT chain AS known, seq AS sent FROM audit_cursors FINAL) AS c ON chain = known WHERE seq > sent',
    )
    return Number(n) === 0
  })
  for (const { body, headers } of siem())
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  const places = new Set(taken().map(({ chain, seq }) => `${chain}:${seq}`))
  const lines = await rows('SELECT chain, seq FROM audit ORDER BY chain, seq')
  for (const { chain, seq } of lines) expect(places).toContain(`${chain}:${seq}`)
  const last = new Map<Json, number>()
  for (const { chain, seq } of taken()) {
    // What is sent again begins where it was sent before.
    expect(Number(seq)).toBeLessThanOrEqual((last.get(chain!) ?? 0) + 1)
    last.set(chain!, Number(seq))
  }
  expect(await server.metric('heddle_audit_webhook_failures_total')).toBeGreaterThan(0)
})

describe('what is done to the table', () => {
  it('is found: a changed line, a missing one, a cut end', { timeout: 120_000 }, async () => {
    // A long one: each of the server's starts began its own.
    const { chain } = (
      await rows('SELECT chain FROM audit GROUP BY chain ORDER BY max(seq) DESC, chain LIMIT 1')
    )[0]!
    const clean = await verify()
    expect(clean).toMatchObject({ problem_count: 0 })
    const head = (clean.heads as Row[]).map((one) => `${one.chain}:${one.seq}:${one.hash}`)
    const noted = join(server.dataDir, 'audit-heads')
    writeFileSync(noted, `${head.join('\n')}\n`)
    expect((await cli('audit', 'verify', '--heads', noted, '--head', head[0]!)).code).toBe(0)
    const [{ target = '' } = {}] = await rows(`SELECT target FROM audit WHERE chain = '${chain}' AND seq = 2`)
    const change = (text: string) =>
      engine(
        `ALTER TABLE audit UPDATE target = '${text}' WHERE chain = '${chain}' AND seq = 2 SETTINGS mutations_sync = 2`,
      )
    await change('{}')
    expect((await verify()).problems).toMatchObject([{ kind: 'changed', chain, seq: 2 }])
    const told = await cli('audit', 'verify')
    expect([told.code, told.stdout]).toEqual([
      1,
      expect.stringContaining(`changed ${chain}:2 It was changed`),
    ])
    await change((target as string).replaceAll("'", "\\'").replaceAll('\\"', '\\\\"'))
    expect((await verify()).problems).toEqual([])
    const remove = (which: string) =>
      engine(`ALTER TABLE audit DELETE WHERE chain = '${chain}' AND ${which} SETTINGS mutations_sync = 2`)
    await remove('seq = 3')
    expect((await verify()).problems).toMatchObject([{ kind: 'missing', chain, seq: 3 }])
    await remove('seq >= 3')
    expect((await verify()).problems).toMatchObject([{ kind: 'cut', chain }])
  })
})

it('nothing is changed while the log can not be written, and nothing else is refused', async () => {
  const project = freshProject()
  await engine('RENAME TABLE audit TO audit_away')
  const body = { project_id: project, retention_days: 7 }
  const refused = await server.api.post('/project/ttl_settings/update', body)
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    503,
    expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }),
  ])
  await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
  await engine('RENAME TABLE audit_away TO audit')
  expect(await server.api.ok('/project/ttl_settings/read', { project_id: project })).toEqual({
    retention_days: null,
  })
  await server.api.ok('/project/ttl_settings/update', body)
})
