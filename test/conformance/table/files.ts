/** Operations on files. */
import { expect } from 'vitest'
import { uploaded } from './langfuse-media.js'
import { json, operation, type Sent, type World } from './operation.js'

const BOUNDARY = 'a-boundary-of-the-tests'

/** A form of `/file/create`. */
export function form(fields: Record<string, string>, file?: string): Sent {
  const parts = Object.entries(fields).map(
    ([name, text]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  if (file !== undefined)
    parts.push(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="obj.py"\r\n` +
        `content-type: application/octet-stream\r\n\r\n${file}\r\n`,
    )
  return {
    body: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

/** Stores the secret as a file and returns its digest. */
async function created({ api, project, secret }: World): Promise<string> {
  const { body, headers } = form({ project_id: project }, secret)
  return String((await api.ok('/file/create', body ?? {}, headers)).digest)
}

export const files = [
  operation('POST', '/file/create', 'write', ({ api, project, secret }) => {
    const whole = form({ project_id: project }, secret)
    const cut = Buffer.from(whole.body as Uint8Array).subarray(0, -20)
    return {
      valid: whole,
      described: { type: 'multipart/form-data', body: { project_id: project, file: secret } },
      effect: async (answer) => {
        const read = await api.post('/file/content', { project_id: project, digest: json(answer).digest })
        expect(read.text).toBe(secret)
      },
      invalid: [
        { why: 'cut off', body: cut, headers: whole.headers ?? {}, status: 400 },
        { why: 'no file', ...form({ project_id: project }), status: 422, at: 'body.file' },
        { why: 'no project', ...form({}, secret), status: 422, at: 'body.project_id' },
        {
          why: 'another digest is expected',
          ...form({ project_id: project, expected_digest: 'x' }, secret),
          status: 409,
        },
      ],
    }
  }),

  operation('POST', '/file/content', 'read', async (world) => {
    const body = { project_id: world.project, digest: await created(world) }
    return {
      valid: { body },
      effect: ({ text }) => expect(text).toBe(world.secret),
      invalid: [
        { why: 'no such file', body: { ...body, digest: 'nope' }, status: 404 },
        { why: 'a range past its end', body, headers: { range: 'bytes=1000-' }, status: 416 },
      ],
    }
  }),

  operation('POST', '/files/resolve_url', 'read', async (world) => {
    const { api, project, secret } = world
    const digest = await created(world)
    const val = { _type: 'CustomWeaveType', files: { content: digest } }
    const obj = await api.ok('/obj/create', { obj: { project_id: project, object_id: 'held', val } })
    const ref = `weave:///${project}/object/held:${obj.digest}`
    const media = `@@@langfuseMedia:type=image/png|id=${await uploaded(world)}|source=bytes@@@`
    const body = { project_id: project, uris: [ref, digest, media] }
    return {
      valid: { body },
      effect: async (answer) => {
        const { download_urls, expires_at } = json<{ download_urls: string[]; expires_at: string }>(answer)
        expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
        expect(download_urls).toHaveLength(3)
        for (const address of download_urls) {
          const read = await fetch(address)
          expect([read.status, await read.text()]).toEqual([200, secret])
          for (const [name, value] of [
            ['expires', String(Date.now() + 86_400_000)],
            ['project', 'another'],
            ['signature', 'x'],
          ] as const) {
            const changed = new URL(address)
            changed.searchParams.set(name, value)
            expect((await fetch(changed)).status).toBe(403)
          }
        }
      },
      invalid: [
        { why: 'no such file', body: { ...body, uris: ['nope'] }, status: 404 },
        {
          why: 'a ref of another project',
          body: { ...body, uris: ['weave:///other/one/object/held:latest'] },
          status: 404,
        },
        { why: 'no list', body: { ...body, uris: null }, status: 422, at: 'body.uris' },
      ],
    }
  }),

  operation('POST', '/files/query_stats', 'read', async (world) => {
    await created(world)
    return {
      valid: { body: { project_id: world.project } },
      effect: (answer) => expect(json(answer)).toEqual({ total_size_bytes: world.secret.length }),
      invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
    }
  }),
]
