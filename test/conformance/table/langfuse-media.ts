/** Operations on media of Langfuse's SDKs. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { json, operation, type World } from './operation.js'

const PUBLIC = '/api/public'

/** Media of the world's secret. */
function media({ secret }: World) {
  const hash = createHash('sha256').update(secret).digest()
  return {
    id: hash.toString('base64url').slice(0, 22),
    body: {
      ...{ traceId: 't', field: 'input', contentType: 'image/png' },
      ...{ contentLength: Buffer.byteLength(secret), sha256Hash: hash.toString('base64') },
    },
  }
}

/** Asks for the address of an upload. */
async function announced(world: World): Promise<{ id: string; url: string | null }> {
  const { id, body } = media(world)
  const { uploadUrl } = await world.api.asUser(world.project).ok(`${PUBLIC}/media`, body)
  return { id, url: uploadUrl as string | null }
}

const put = (url: string | URL, body: string) =>
  fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/png' } })

/** Uploads the world's secret, unless it is stored. @returns its id */
export async function uploaded(world: World): Promise<string> {
  const { id, url } = await announced(world)
  if (url !== null) expect((await put(url, world.secret)).status).toBe(200)
  return id
}

const patch = { uploadedAt: '2026-01-01T00:00:00Z', uploadHttpStatus: 403, uploadHttpError: 'no room' }

export const langfuseMedia = [
  operation('POST', `${PUBLIC}/media`, 'write', (world) => {
    const { id, body } = media(world)
    return {
      valid: { body },
      effect: async (answer) => {
        const { mediaId, uploadUrl } = json<{ mediaId: string; uploadUrl: string }>(answer)
        expect(mediaId).toBe(id)
        for (const [name, value] of [
          ['expires', String(Date.now() + 86_400_000)],
          ['project', 'another'],
          ['bytes', '1000'],
          ['signature', 'x'],
        ] as const) {
          const changed = new URL(uploadUrl)
          changed.searchParams.set(name, value)
          expect([name, (await put(changed, world.secret)).status]).toEqual([name, 403])
        }
        expect((await put(uploadUrl, world.secret.slice(1))).status).toBe(400)
        expect((await put(uploadUrl, world.secret.replaceAll(/./g, 'x'))).status).toBe(400)
        expect((await put(uploadUrl, `${world.secret} and more`)).status).toBe(413)
        const api = world.api.asUser(world.project)
        expect((await api.get(`${PUBLIC}/media/${id}`)).status).toBe(404)
        expect((await put(uploadUrl, world.secret)).status).toBe(200)
        expect(await api.ok(`${PUBLIC}/media`, body)).toEqual({ mediaId: id, uploadUrl: null })
      },
      invalid: [
        { why: 'of nothing', body: { ...body, traceId: undefined }, status: 400 },
        { why: 'half an item', body: { ...body, traceId: undefined, datasetId: 'd' }, status: 400 },
        { why: 'a hash of MD5', body: { ...body, sha256Hash: 'x' }, status: 422, at: 'body.sha256Hash' },
        {
          ...{ why: 'a gigabyte', body: { ...body, contentLength: 1 << 30 } },
          ...{ status: 422, at: 'body.contentLength' },
        },
      ],
    }
  }),
  operation('PATCH', `${PUBLIC}/media/{media_id}`, 'write', async (world) => {
    const { id: media_id } = await announced(world)
    return {
      valid: { params: { media_id }, body: patch },
      effect: async () => {
        const read = await world.api.asUser(world.project).get(`${PUBLIC}/media/${media_id}`)
        expect(read.status).toBe(404)
        expect(json(read).message).toContain('403 (no room)')
      },
      invalid: [
        { why: 'an unknown id', params: { media_id: 'nope' }, body: patch, status: 404 },
        {
          ...{ why: 'no status', params: { media_id }, body: { uploadedAt: patch.uploadedAt } },
          ...{ status: 422, at: 'body.uploadHttpStatus' },
        },
      ],
    }
  }),
  operation('GET', `${PUBLIC}/media/{media_id}`, 'read', async (world) => {
    const media_id = await uploaded(world)
    return {
      valid: { params: { media_id } },
      effect: async (answer) => {
        const { url, ...shown } = json<{ url: string }>(answer)
        expect(shown).toMatchObject({
          ...{ mediaId: media_id, contentType: 'image/png', contentLength: world.secret.length },
        })
        expect(await (await fetch(url)).text()).toBe(world.secret)
      },
      invalid: [{ why: 'an unknown id', params: { media_id: 'nope' }, status: 404 }],
    }
  }),
]
