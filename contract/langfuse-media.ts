import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { FILE_LIMIT } from './files.js'
import { langfuseRead, langfuseWrite } from './langfuse-shared.js'
import { component, longText, maybe, shortText, timeOut } from './shared.js'

const about = maybe(shortText.min(1))

const MediaCreate = component('LangfuseMediaCreate', {
  traceId: about.describe('the trace it belongs to; else the item of a dataset'),
  observationId: about,
  datasetId: about,
  datasetItemId: about,
  field: z.enum(['input', 'output', 'metadata', 'expectedOutput']).describe('the field that refers to it'),
  contentType: z
    .string()
    .max(255)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'Should be a MIME type, such as image/png'),
  contentLength: z.int().min(1).max(FILE_LIMIT).describe('bytes'),
  sha256Hash: z.base64().length(44).describe('SHA-256 of the bytes, in base64'),
})
export type LangfuseMediaCreate = z.output<typeof MediaCreate>

export const langfuseMediaCreate = route({
  ...langfuseWrite,
  id: 'langfuse_media_create',
  path: '/api/public/media',
  summary: 'Get an address that media can be uploaded to for an hour',
  body: MediaCreate,
  answer: component('LangfuseMediaUpload', {
    mediaId: z.string().describe('the start of the SHA-256 of the bytes, in URL-safe base64'),
    uploadUrl: z.string().nullable().describe('null: the bytes are stored'),
  }),
})

const oneMedia = {
  path: '/api/public/media/{media_id}',
  params: z.object({ media_id: shortText.min(1) }),
} as const

export const langfuseMediaUpdate = route({
  ...langfuseWrite,
  ...oneMedia,
  method: 'PATCH',
  id: 'langfuse_media_update',
  summary: 'Say how an upload went',
  body: component('LangfuseMediaUpdate', {
    uploadedAt: z.iso.datetime({ offset: true }),
    uploadHttpStatus: z.int().min(0).max(999),
    uploadHttpError: maybe(longText),
    uploadTimeMs: maybe(z.number()),
  }),
  answer: z.object({}),
})

export const langfuseMedia = route({
  ...langfuseRead,
  ...oneMedia,
  id: 'langfuse_media',
  summary: 'Read what is known of media, with an address that they can be read from for an hour',
  answer: component('LangfuseMedia', {
    mediaId: z.string(),
    contentType: z.string(),
    contentLength: z.int().describe('bytes'),
    uploadedAt: timeOut,
    url: z.string(),
    urlExpiry: timeOut,
  }),
})
