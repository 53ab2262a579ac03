import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Artifacts, removeBelow } from './artifacts.js'
import { openArtifacts } from './open.js'
import { S3Artifacts } from './s3.js'
import { EMPTY_HASH, signed } from './sign.js'

/** The smallest store that speaks S3: objects in memory, ranges, and a look at who asks. */
function smallS3(): Server {
  const objects = new Map<string, Buffer>()
  return createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const path = request.url ?? ''
    const object = objects.get(path)
    const done = (status: number, body?: Buffer) => response.writeHead(status).end(body)
    if (
      !/Credential=me\/\d{8}\/here\/s3\/aws4_request,SignedHeaders=[\w;-]*host;[\w;-]*,Signature=[0-9a-f]{64}$/.test(
        request.headers.authorization ?? '',
      )
    )
      return done(403)
    const listed = new URL(path, 'http://s3').searchParams.get('prefix')
    if (listed !== null) {
      const after = new URL(path, 'http://s3').searchParams.get('continuation-token') ?? ''
      const keys = [...objects.keys()].map((one) => one.slice('/bucket/'.length))
      const [key, more] = keys.filter((one) => one.startsWith(listed) && one > after).sort()
      // One a page, as a store does it with its thousand.
      const next = more === undefined ? '' : `<NextContinuationToken>${key}</NextContinuationToken>`
      return done(200, Buffer.from(`<R>${key === undefined ? '' : `<Key>${key}</Key>`}${next}</R>`))
    }
    if (request.method === 'PUT' && request.headers['content-length'] === undefined) return done(411)
    if (path.includes('broken')) return done(500)
    if (request.method === 'PUT') {
      objects.set(path, Buffer.concat(pieces))
      return done(200)
    }
    if (request.method === 'DELETE') return done(objects.delete(path) ? 204 : 404)
    if (!object) return done(404)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    return range ? done(206, object.subarray(Number(range[1]), Number(range[2]) + 1)) : done(200, object)
  })
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-artifacts-'))
const server = smallS3()
const access = { accessKeyId: 'me', secretAccessKey: 'secret', region: 'here' }
let s3: Artifacts
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  s3 = openArtifacts('s3://bucket/some/prefix', { ...access, endpoint: `http://127.0.0.1:${port}` })
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
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
      await expect(make().put(key, bytes)).rejects.toThrow('not a key')
      await expect(make().get(key)).rejects.toThrow('not a key')
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
  // Whoever writes while another one removes.
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
    if (request.url !== '/bucket/mute') response.writeHead(200, { 'content-length': '10' }).write('12345')
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
  const store = (patienceMs: number) =>
    new S3Artifacts({
      ...{ endpoint, bucket: 'bucket', prefix: '', region: 'here', patienceMs },
      credentials: { accessKeyId: 'me', secretAccessKey: 'secret' },
    })

  it('is waited for no longer than whoever wants the content is there', async () => {
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
    await expect(read(await store(20).get('half', undefined, signal))).rejects.toMatchObject({ status: 503 })
    await expect(store(20).put('mute', Buffer.from('x'))).rejects.toMatchObject({ status: 503 })
  })

  it('is not taken for away by a reader who takes his time', async () => {
    const artifacts = new S3Artifacts({
      ...{ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bucket: 'bucket' },
      ...{ prefix: 'some/prefix', region: 'here', patienceMs: 100 },
      credentials: { accessKeyId: 'me', secretAccessKey: 'secret' },
    })
    const bytes = Buffer.alloc(3_000_000, 'x')
    await artifacts.put('slow', bytes)
    let size = 0
    for await (const piece of (await artifacts.get('slow'))!) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 150))
      size += piece.length
    }
    expect(size).toBe(bytes.length)
  })
})

it.each([
  ['s3://bucket/prefix', {}, 'AWS_ACCESS_KEY_ID'],
  ['s3://', access, 's3://bucket/prefix'],
  ['s3://a b', access, 's3://bucket/prefix'],
])('%s can not be opened', (address, given, problem) =>
  expect(() => openArtifacts(address, given)).toThrow(problem),
)

it('requests are signed as the documentation of S3 shows', () => {
  const headers = signed(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: { range: 'bytes=0-9' },
      bodyHash: EMPTY_HASH,
    },
    { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    'us-east-1',
    new Date('2013-05-24T00:00:00Z'),
  )
  expect(headers.authorization).toContain(
    'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})
