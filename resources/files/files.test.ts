import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { FolderArtifacts } from '../../platform/artifacts/folder.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
}, 120_000)
afterAll(() => service.stop())

const project_id = 'acme/one'
const form = (content: Uint8Array, fields: Record<string, string> = { project_id }, filename = 'obj.py') => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([Uint8Array.from(content)]), filename)
  return data
}
const content = (digest: string) => service.post('/file/content', { project_id, digest })
const vectors = JSON.parse(
  readFileSync(new URL('../../domain/refs/vectors.json', import.meta.url), 'utf8'),
) as { file: { hex: string; digest: string }[] }

describe('files', () => {
  it.each(vectors.file)('of the bytes "$hex" are stored under $digest', async ({ hex, digest }) => {
    const bytes = Buffer.from(hex, 'hex')
    for (let again = 0; again < 2; again++) {
      const created = await service.post('/file/create', form(bytes, { project_id, expected_digest: digest }))
      expect(created).toMatchObject({ status: 200, json: { digest } })
    }
    const back = await content(digest)
    expect(back.headers.get('content-type')).toBe('application/octet-stream')
    expect(Buffer.from(back.bytes)).toEqual(bytes)
    expect((await service.post('/file/content', { project_id: 'acme/two', digest })).status).toBe(404)
  })

  it('come back byte for byte, whatever is in them', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 500 }),
          fc.constant(Buffer.from('\n\n; DROP TABLE files')),
          fc.constant(Buffer.from('12\nabc')),
        ),
        async (bytes) => {
          const { digest } = (await service.post('/file/create', form(bytes))).json
          expect(Buffer.from((await content(digest)).bytes)).toEqual(Buffer.from(bytes))
        },
      ),
      { numRuns: 15 },
    ))

  it('of many pieces come back whole, also when others are written at the same time', async () => {
    const files = [3 << 20, (2 << 20) + 1, (1 << 20) - 1, 1 << 20].map((size, n) =>
      Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 11) + n) & 255)),
    )
    const created = await Promise.all(files.map((bytes) => service.post('/file/create', form(bytes))))
    for (const [i, { json }] of created.entries()) {
      const back = await content(json.digest)
      expect(Buffer.compare(back.bytes, files[i]!)).toBe(0)
    }
  })
})

describe('parts of files', () => {
  const bytes = Buffer.from(Uint8Array.from({ length: (2 << 20) + 100 }, (_, i) => (i * 7 + (i >> 9)) & 255))
  let digest = ''
  beforeAll(async () => {
    digest = (await service.post('/file/create', form(bytes))).json.digest
  })
  const part = (range: string) =>
    service.send('POST', '/file/content', { project_id, digest }, { range: `bytes=${range}` })

  it.each([
    ['0-0', 0, 1],
    ['10-19', 10, 20],
    ['1048570-1048580', 1048570, 1048581],
    ['1048576-', 1 << 20, bytes.length],
    ['-100', bytes.length - 100, bytes.length],
    ['0-', 0, bytes.length],
  ])('%s', async (range, from, to) => {
    const answer = await part(range)
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`)
    expect(Buffer.compare(answer.bytes, bytes.subarray(from, to))).toBe(0)
  })

  it('that make no sense are the whole', async () =>
    expect((await part('9-1')).bytes.length).toBe(bytes.length))
  it('behind the end: 416', async () => {
    const answer = await part('99999999-')
    expect(answer).toMatchObject({ status: 416, json: { code: 'BAD_RANGE' } })
    expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  })
  it('of what is not there: 404', async () =>
    expect(
      (await service.send('POST', '/file/content', { project_id, digest: 'x' }, { range: 'bytes=0-1' }))
        .status,
    ).toBe(404))
})

it('sums the sizes of distinct files', async () => {
  const fields = { project_id: 'acme/sum' }
  for (const text of ['one', 'three', 'one'])
    await service.post('/file/create', form(Buffer.from(text), fields))
  expect((await service.post('/files/query_stats', fields)).json).toEqual({ total_size_bytes: 8 })
  expect((await service.post('/files/query_stats', { project_id: 'acme/none' })).json).toEqual({
    total_size_bytes: 0,
  })
})

describe('large files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-files-'))
  const outside = { artifacts: new FolderArtifacts(folder), inlineBytes: 1000 }
  let large: TestService
  beforeAll(async () => {
    large = await service.again((store) => createReads({ store, version: '', outside }).routes)
  })
  afterAll(async () => {
    await large.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('lie outside, and are read as others are', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 70_001 }, (_, i) => (i * 13) & 255))
    const small = bytes.subarray(0, 1000)
    const [one, two] = await Promise.all([bytes, small].map((some) => large.post('/file/create', form(some))))
    const read = (digest: string, range?: string) =>
      large.send('POST', '/file/content', { project_id, digest }, range ? { range } : {})
    expect(Buffer.compare((await read(one!.json.digest)).bytes, bytes)).toBe(0)
    expect(Buffer.compare((await read(two!.json.digest)).bytes, small)).toBe(0)
    const part = await read(one!.json.digest, 'bytes=65530-65550')
    expect(part.status).toBe(206)
    expect(Buffer.compare(part.bytes, bytes.subarray(65_530, 65_551))).toBe(0)
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(kept.map(({ name }) => name)).toEqual([one!.json.digest])
  })

  it('whose content is lost are an error, not an empty file', async () => {
    const { digest } = (await large.post('/file/create', form(Buffer.alloc(2000, 'lost')))).json
    rmSync(folder, { recursive: true })
    expect((await large.post('/file/content', { project_id, digest })).status).toBe(503)
    expect((await content(digest)).status).toBe(503)
  })
})

describe('what is refused', () => {
  it('another digest than the one that is expected: 409, and nothing is stored', async () => {
    const answer = await service.post(
      '/file/create',
      form(Buffer.from('unexpected'), { project_id, expected_digest: 'x' }),
    )
    expect(answer).toMatchObject({ status: 409, json: { code: 'CONFLICT' } })
    const digest = /digest is (\w+)/.exec(answer.json.reason)?.[1] ?? ''
    expect((await content(digest)).status).toBe(404)
  })

  it.each([
    ['no project', form(Buffer.from('x'), {}), ['body', 'project_id']],
    ['a bad project', form(Buffer.from('x'), { project_id: 'x' }), ['body', 'project_id']],
  ])('%s: 422', async (_what, body, loc) => {
    expect(await service.post('/file/create', body)).toMatchObject({
      status: 422,
      json: { detail: [{ loc }] },
    })
  })

  it('no file: 422', async () => {
    const data = new FormData()
    data.append('project_id', project_id)
    expect(await service.post('/file/create', data)).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'file'], type: 'missing' }] },
    })
  })

  it('a form that is cut off: 400, and nothing is stored', async () => {
    const whole = new Response(form(Buffer.from('cut off here')))
    const type = whole.headers.get('content-type') ?? ''
    const bytes = new Uint8Array(await whole.arrayBuffer())
    const answer = await service.send('POST', '/file/create', bytes.subarray(0, -8), { 'content-type': type })
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_BODY' } })
    expect(answer.json.reason).toContain('cut off')
  })

  it('another content type: 415', async () => {
    const answer = await service.send('POST', '/file/create', '{}', { 'content-type': 'application/json' })
    expect(answer).toMatchObject({ status: 415, json: { code: 'BAD_MEDIA_TYPE' } })
  })

  it('writing without the right to: 403', async () => {
    const body = form(Buffer.from('x'), { project_id: 'acme/two' })
    expect((await service.send('POST', '/file/create', body, { authorization: 'Bearer one' })).status).toBe(
      403,
    )
  })

  it('a file that is not there: 404', async () =>
    expect(await content('nothing')).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } }))
})
