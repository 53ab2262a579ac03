/** What the SDKs publish while tracing: objects, files, refs; digests equal to the published vectors. */
import { beforeAll, describe, expect, it } from 'vitest'
import vectors from '../conformance/digest-vectors.json' with { type: 'json' }
import type { Answer } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, hex } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

/** Creates an object from the text of its value, so numbers keep their spelling. */
async function create(project: string, object_id: string, val: string): Promise<string> {
  const body = JSON.stringify({ obj: { project_id: project, object_id, val: '@' } }).replace('"@"', () => val)
  return String((await server.api.ok('/obj/create', body)).digest)
}

function sendFile(
  project: string,
  content: Uint8Array,
  name = 'obj.py',
  more: Record<string, string> = {},
): Promise<Answer> {
  const boundary = `----${hex(8)}`
  const field = (key: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`
  const fields = Object.entries({ project_id: project, ...more }).map(([key, value]) => field(key, value))
  const body = Buffer.concat([
    Buffer.from(
      `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return server.api.post('/file/create', body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })
}

describe('objects', () => {
  it.each(vectors.object.map(({ json, digest }) => [json, digest]))(
    'the digest of %s',
    async (json, digest) => {
      const project = freshProject()
      expect(await create(project, 'thing', json!)).toBe(digest)
      const { text } = await server.api.post('/obj/read', {
        project_id: project,
        object_id: 'thing',
        digest: digest!,
      })
      const { obj } = JSON.parse(text)
      expect(obj).toMatchObject({
        object_id: 'thing',
        digest,
        version_index: 0,
        is_latest: 1,
        project_id: project,
      })
      expect(obj.val).toEqual(JSON.parse(json!))
    },
  )

  it('numbers keep their spelling', async () => {
    const project = freshProject()
    const digest = await create(project, 'n', '{"one":1.0,"big":123456789012345678901234567890}')
    const { text } = await server.api.post('/obj/read', { project_id: project, object_id: 'n', digest })
    expect(text).toContain('1.0')
    expect(text).toContain('123456789012345678901234567890')
  })

  it('versions count, latest moves, v<n> and latest read', async () => {
    const project = freshProject()
    const digests = [
      await create(project, 'o', '{"v":1}'),
      await create(project, 'o', '{"v":2}'),
      await create(project, 'o', '{"v":1}'),
    ]
    expect(digests[2]).toBe(digests[0])
    const read = async (digest: string) =>
      (await server.api.ok('/obj/read', { project_id: project, object_id: 'o', digest })).obj
    expect(await read('v0')).toMatchObject({ digest: digests[0], version_index: 0 })
    expect(await read('v1')).toMatchObject({ digest: digests[1], version_index: 1 })
    expect(await read('latest')).toMatchObject({ digest: digests[0] })
  })

  it('missing is 404, a bad name 422', async () => {
    const project = freshProject()
    const missing = await server.api.post('/obj/read', {
      project_id: project,
      object_id: 'no',
      digest: 'latest',
    })
    expect(missing.status).toBe(404)
    expect(JSON.parse(missing.text)).toHaveProperty('reason')
    const bad = await server.api.post('/obj/create', {
      obj: { project_id: project, object_id: 'not ok!', val: {} },
    })
    expect(bad.status).toBe(422)
  })

  it('a wrong expected digest is 409', async () => {
    const obj = { project_id: freshProject(), object_id: 'o', val: { a: 1 }, expected_digest: 'x'.repeat(43) }
    expect((await server.api.post('/obj/create', { obj })).status).toBe(409)
  })
})

describe('files', () => {
  it.each([
    ['text', Buffer.from('def f(): pass\n')],
    ['empty', Buffer.alloc(0)],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, n) => n))],
    ['lines that look like a boundary', Buffer.from('\r\n--x\r\n\n\n\r\n')],
    ['five megabytes', Buffer.alloc(5_000_000, 'heddle ')],
  ])('%s comes back as it was', async (_name, content) => {
    const project = freshProject()
    const answer = await sendFile(project, content)
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    const { digest } = JSON.parse(answer.text)
    expect(JSON.parse((await sendFile(project, content)).text).digest).toBe(digest)
    const read = await server.api.post('/file/content', { project_id: project, digest })
    expect(read.status).toBe(200)
    expect(Buffer.compare(read.bytes, content)).toBe(0)
  })

  it('an unknown one is 404, and so is another project’s', async () => {
    const project = freshProject()
    const { digest } = JSON.parse((await sendFile(project, Buffer.from('mine'))).text)
    expect((await server.api.post('/file/content', { project_id: freshProject(), digest })).status).toBe(404)
    expect((await server.api.post('/file/content', { project_id: project, digest: 'nope' })).status).toBe(404)
  })

  it('broken multipart is 4xx', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', '--b\r\nnonsense'],
      ['multipart/form-data; boundary=b', '--b--\r\n'],
      ['application/json', '{}'],
    ] as const) {
      const { status } = await server.api.post('/file/create', body, { 'content-type': type })
      expect([400, 415, 422]).toContain(status)
    }
  })
})

describe('refs', () => {
  it('read objects and paths into them, in order', async () => {
    const project = freshProject()
    const digest = await create(project, 'o', '{"a":{"b":[{"c":1.0},"x"]}}')
    const base = `weave:///${project}/object/o:${digest}`
    const refs = [`${base}/key/a/key/b/index/1`, base, `${base}/key/a/key/b/index/0/key/c`]
    const { text } = await server.api.post('/refs/read_batch', { refs })
    expect(JSON.parse(text).vals).toEqual(['x', { a: { b: [{ c: 1 }, 'x'] } }, 1])
    expect(text).toContain('1.0')
  })

  it('missing objects are 404 with their digests, malformed refs 400', async () => {
    const project = freshProject()
    const missing = await server.api.post('/refs/read_batch', {
      refs: [`weave:///${project}/object/o:${'a'.repeat(43)}`],
    })
    expect(missing.status).toBe(404)
    expect(JSON.parse(missing.text).missing_object_digests).toEqual(['a'.repeat(43)])
    for (const ref of [
      '',
      'weave:///',
      'http://x',
      `weave:///${project}/object/o`,
      `weave:///${project}/nope/x:y`,
      `weave:///${project}/call/x`,
    ])
      expect([ref, (await server.api.post('/refs/read_batch', { refs: [ref] })).status]).toEqual([ref, 400])
  })
})
