import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLog } from '../telemetry/log.js'
import { type SmallS3, type SmallSts, startSmallS3, startSmallSts } from '../testing/small-s3.js'
import { type Artifacts, removeBelow } from './artifacts.js'
import { openArtifacts } from './open.js'
import { S3Artifacts } from './s3.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-artifacts-'))
const access = { accessKeyId: 'me', secretAccessKey: 'secret', region: 'here' }
let server: SmallS3
let s3: Artifacts
beforeAll(async () => {
  server = await startSmallS3({ id: 'me' })
  s3 = openArtifacts('s3://bucket/some/prefix', { ...access, endpoint: server.endpoint })
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function read(stream: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  if (!stream) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

async function all(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const key of keys) found.push(key)
  return found
}

describe.each([
  ['a folder', () => openArtifacts(join(folder, 'artifacts'))],
  ['S3', () => s3],
])('artifacts in %s', (_where, make) => {
  const bytes = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, i) => (i * 31) & 255))

  it('come back whole and in parts, are replaced and removed', async () => {
    const artifacts = make()
    expect(await artifacts.get('files/a/b')).toBeUndefined()
    await artifacts.put('files/a/b', Buffer.from('first'))
    await artifacts.put('files/a/b', bytes)
    await artifacts.put('files/a/empty', new Uint8Array(0))
    expect(await read(await artifacts.get('files/a/b'))).toBe(bytes.toString('latin1'))
    expect(await read(await artifacts.get('files/a/b', { from: 10, to: 70_000 }))).toBe(
      bytes.toString('latin1', 10, 70_000),
    )
    expect(await read(await artifacts.get('files/a/b', { from: 5, to: 5 }))).toBe('')
    expect(await read(await artifacts.get('files/a/empty'))).toBe('')
    await artifacts.delete('files/a/b')
    await artifacts.delete('files/a/b')
    expect(await artifacts.get('files/a/b')).toBeUndefined()
  })

  it('are written piece by piece, listed below a prefix, and removed with it', async () => {
    const artifacts = make()
    async function* pieces(fail: boolean) {
      for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000)
      if (fail) throw new Error('broken off')
    }
    await artifacts.write('models/a/b/one', pieces(false))
    await artifacts.write('models/a/two', (async function* () {})())
    await artifacts.put('models/ab', Buffer.from('x'))
    await expect(artifacts.write('models/a/three', pieces(true))).rejects.toThrow('broken off')
    expect(await read(await artifacts.get('models/a/b/one'))).toBe(bytes.toString('latin1'))
    expect((await all(artifacts.keys('models/a'))).sort()).toEqual(['models/a/b/one', 'models/a/two'])
    await removeBelow(artifacts, 'models/a')
    expect(await all(artifacts.keys('models/a'))).toEqual([])
    expect(await read(await artifacts.get('models/ab'))).toBe('x')
  })

  it.each(['', '/a', 'a/', '../a', 'a/../b', 'a//b', 'a b', 'a\\b', 'a/.'])(
    'have no key "%s"',
    async (key) => {
      await expect(make().put(key, bytes)).rejects.toThrow('not an artifact key')
      await expect(make().get(key)).rejects.toThrow('not an artifact key')
    },
  )
})

it('a folder holds nothing but whole artifacts', async () => {
  await openArtifacts(join(folder, 'whole')).put('a/b', Buffer.from('x'))
  expect(readdirSync(join(folder, 'whole/a'))).toEqual(['b'])
})

it('folders are for their owner alone', async () => {
  const root = join(folder, 'modes')
  const before = process.umask(0)
  try {
    await openArtifacts(root).put('a/b', Buffer.from('x'))
  } finally {
    process.umask(before)
  }
  const modes = ['', 'a', 'a/b'].map((path) => (statSync(join(root, path)).mode & 0o777).toString(8))
  expect(modes).toEqual(['700', '700', '600'])
})

it('a folder that holds nothing any more is not there, and comes back with the next artifact', async () => {
  const artifacts = openArtifacts(join(folder, 'pruned'))
  await artifacts.put('jobs/one/data', Buffer.from('x'))
  await artifacts.put('jobs/two/data', Buffer.from('x'))
  await artifacts.delete('jobs/one/data')
  expect(readdirSync(join(folder, 'pruned/jobs'))).toEqual(['two'])
  // One writes while another removes.
  const [write, remove] = [join, join].map(() => openArtifacts(join(folder, 'pruned')))
  await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      await write!.put(`logs/${i}`, Buffer.from('x'))
      await remove!.delete(`logs/${i}`)
    }),
  )
  expect(readdirSync(join(folder, 'pruned'))).toEqual(['jobs'])
})

it('a store that fails is away for the caller: 503', async () => {
  await expect(s3.put('broken', Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
  await expect(s3.get('broken')).rejects.toMatchObject({ status: 503 })
  const nobody = openArtifacts('s3://bucket', { ...access, endpoint: 'http://127.0.0.1:1' })
  await expect(nobody.get('a')).rejects.toMatchObject({ status: 503, code: 'STORE_UNAVAILABLE' })
})

describe('a store that falls silent', () => {
  // Answers /bucket/mute never, and anything else with a first piece and nothing more.
  const silent = createServer((request, response) => {
    asked()
    if (!request.url?.startsWith('/bucket/mute'))
      response.writeHead(200, { 'content-length': '10' }).write('12345')
  })
  let asked: () => void = () => undefined
  let endpoint = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  })
  afterAll(() => {
    silent.close()
    silent.closeAllConnections()
  })
  const store = (timeoutMs: number) =>
    new S3Artifacts({
      ...{ endpoint, bucket: 'bucket', prefix: '', region: 'here', timeoutMs },
      credentials: { accessKeyId: 'me', secretAccessKey: 'secret' },
    })

  it('is no longer waited for once its reader is gone', async () => {
    const caller = new AbortController()
    asked = () => caller.abort()
    await expect(store(3_600_000).get('mute', undefined, caller.signal)).rejects.toMatchObject({
      status: 503,
    })
    asked = () => undefined
    const later = new AbortController()
    const content = await store(3_600_000).get('half', undefined, later.signal)
    await expect(
      (async () => {
        for await (const _ of content!) later.abort()
      })(),
    ).rejects.toMatchObject({ status: 503 })
  })

  it('is taken for one that is away, also by those who would wait for ever', async () => {
    const { signal } = new AbortController()
    await expect(store(20).get('mute', undefined, signal)).rejects.toMatchObject({ status: 503 })
    const half = store(100).get('half', undefined, signal).then(read)
    await expect(half).rejects.toMatchObject({ status: 503 })
    await expect(store(20).put('mute', Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
  })

  it('is not taken for away by a reader who takes his time', async () => {
    const artifacts = new S3Artifacts({
      ...{ endpoint: server.endpoint, bucket: 'bucket' },
      ...{ prefix: 'some/prefix', region: 'here', timeoutMs: 1000 },
      credentials: { accessKeyId: 'me', secretAccessKey: 'secret' },
    })
    const bytes = Buffer.alloc(3_000_000, 'x')
    await artifacts.put('slow', bytes)
    let size = 0
    for await (const piece of (await artifacts.get('slow'))!) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 1200))
      size += piece.length
    }
    expect(size).toBe(bytes.length)
  })
})

it.each([
  ['s3://bucket/prefix', { accessKeyId: 'me' }, 'AWS_SECRET_ACCESS_KEY'],
  ['s3://bucket/prefix', { secretAccessKey: 'secret' }, 'AWS_ACCESS_KEY_ID'],
  ['s3://', access, 's3://bucket/prefix'],
  ['s3://a b', access, 's3://bucket/prefix'],
])('%s can not be opened', (address, given, problem) =>
  expect(() => openArtifacts(address, given)).toThrow(problem),
)

it('the SDK is loaded only when an S3 store is used', () => {
  const open = new URL('../../dist/platform/artifacts/open.js', import.meta.url)
  const program = `
    import { _cache as loaded } from 'node:module'
    import { openArtifacts } from '${open}'
    const said = () => console.log(Object.keys(loaded).some((path) => path.includes('@aws-sdk')))
    openArtifacts('/nowhere')
    const s3 = openArtifacts('s3://bucket', ${JSON.stringify({ ...access, endpoint: server.endpoint })})
    said()
    await s3.get('none')
    said()`
  return new Promise<void>((resolve, reject) =>
    execFile(process.execPath, ['--input-type=module', '--eval', program], (error, stdout) => {
      if (error) return reject(error)
      expect(stdout.trim().split('\n')).toEqual(['false', 'true'])
      resolve()
    }),
  )
})

describe('a content that is larger than a part', () => {
  const bytes = Buffer.alloc(40 * 2 ** 20)
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at)

  it.each([
    ['at once', () => s3.put('large', bytes)],
    ['piece by piece', () => s3.write('large', pieces())],
  ])('goes in parts, %s, and comes back', async (_how, store) => {
    server.asked.length = 0
    await store()
    const parts = server.asked.filter((one) => one.includes('partNumber'))
    expect(parts).toHaveLength(3)
    expect(server.objects.get('/bucket/some/prefix/large')!.equals(bytes)).toBe(true)
    await s3.delete('large')
  })

  it('is not there, nor any part of it, when it breaks off', async () => {
    await expect(s3.write('large', pieces('broken off'))).rejects.toThrow('broken off')
    expect(await s3.get('large')).toBeUndefined()
    expect(server.open.size).toBe(0)
  })

  async function* pieces(failure?: string) {
    for (let at = 0; at < bytes.length; at += 3_000_000) yield bytes.subarray(at, at + 3_000_000)
    if (failure !== undefined) throw new Error(failure)
  }
})

describe('without keys, by a web identity', () => {
  const given = { id: 'ASIATEMPORARY', secret: 'temporary-secret', token: 'temporary-token' }
  const identity = join(folder, 'identity')
  let sts: SmallSts
  let store: SmallS3
  beforeAll(async () => {
    sts = await startSmallSts('identity-of-a-pod', given)
    store = await startSmallS3({ id: given.id, token: given.token })
  })
  afterAll(() => {
    sts.close()
    store.close()
  })
  afterEach(() => vi.unstubAllEnvs())

  function opened(token: string): Artifacts {
    writeFileSync(identity, token)
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'])
      vi.stubEnv(name, undefined)
    vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/heddle')
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', identity)
    vi.stubEnv('AWS_ENDPOINT_URL_STS', sts.endpoint)
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'none'))
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'))
    return openArtifacts('s3://bucket', { region: 'here', endpoint: store.endpoint })
  }

  it('the role is assumed, and its keys are kept', async () => {
    const artifacts = opened('identity-of-a-pod')
    await artifacts.put('a', Buffer.from('x'))
    expect(await read(await artifacts.get('a'))).toBe('x')
    await artifacts.delete('a')
    expect(sts.asked[0]!.get('RoleArn')).toBe('arn:aws:iam::123456789012:role/heddle')
    // Once for reading and once for writing.
    expect(sts.asked).toHaveLength(2)
  })

  it('an identity that is refused is said, and no token is', async () => {
    const said = await logged(opened('identity-of-another').get('a'))
    expect(said).toContain('the provider of its credentials answered 400 InvalidIdentityToken')
    expect(said).not.toContain('identity-of-another')
  })
})

it.each([
  ['get', (artifacts: Artifacts) => artifacts.get('a')],
  ['put', (artifacts: Artifacts) => artifacts.put('a', Buffer.from('x'))],
  ['write', (artifacts: Artifacts) => artifacts.write('a', (async function* () {})())],
  ['delete', (artifacts: Artifacts) => artifacts.delete('a')],
  ['keys', (artifacts: Artifacts) => all(artifacts.keys(''))],
])('no key reaches the log when a store refuses and quotes them: %s', async (_what, ask) => {
  const keys = { accessKeyId: 'AKIAQUOTED', secretAccessKey: 'a-secret', sessionToken: 'a-token' }
  const said = await logged(
    ask(openArtifacts('s3://bucket', { ...keys, region: 'here', endpoint: server.endpoint })),
  )
  expect(said).toContain('the artifact store answered 403 InvalidAccessKeyId')
  for (const key of Object.values(keys)) expect(said).not.toContain(key)
})

/** The log's line of what `work` fails with, with all that the log makes of an error. */
async function logged(work: Promise<unknown>): Promise<string> {
  const lines: string[] = []
  const log = openLog({
    level: 'info',
    format: 'json',
    role: 'test',
    to: { write: (line) => lines.push(line) },
  })
  const error: Error = await work.then(
    () => expect.unreachable('it did not fail'),
    (failure) => failure,
  )
  log.error({ err: error, cause: error.cause }, 'failed')
  return lines.join('')
}
