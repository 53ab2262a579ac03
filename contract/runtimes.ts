import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, inProjectPath, orNull, shortText } from './shared.js'

const id = z.string().min(1).max(10_000).regex(/^\S+$/)
const maxTokens = z.int().positive().default(4096)

const runtimeIds = z
  .array(component('CustomRuntimeID', { id, max_tokens: maxTokens }))
  .max(1000)
  .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Each id may be listed once')

export const runtimeApply = route({
  id: 'runtime_apply',
  audit: { category: 'settings', names: ['params.runtime_name', 'body.runtime_ids'] },
  method: 'PUT',
  path: '/v2/{entity}/{project}/runtimes/{runtime_name}',
  tag: 'Runtimes',
  summary: 'Describe an OpenAI-compatible endpoint and all its models; those left out are deleted',
  access: 'write',
  project: 'path',
  params: z.object({
    ...inProjectPath,
    runtime_name: z
      .string()
      .min(1)
      .max(128)
      .regex(/^[^\s:]*(?::[^\s:]+)*:?$/),
  }),
  body: component('CustomRuntimeApplyBody', {
    base_url: shortText,
    api_key_secret: orNull(shortText).describe('name of a secret of this project'),
    headers: z.record(shortText, shortText).default({}),
    runtime_ids: runtimeIds,
  }),
  answer: component('CustomRuntimeApplyRes', {
    name: z.string(),
    base_url: z.string(),
    api_key_secret: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    runtime_ids: z.array(
      component('CustomRuntimeIDRes', {
        id,
        max_tokens: z.int(),
        playground_id: z.string().describe('name it as the model of a completion'),
      }),
    ),
  }),
})

export type Runtime = z.output<NonNullable<typeof runtimeApply.body>>
