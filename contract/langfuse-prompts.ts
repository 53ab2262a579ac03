import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { filterText } from './langfuse-filter.js'
import { encodedName, LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, longText, maybe, shortText, timeOut } from './shared.js'

const any = z.unknown().optional()
const label = shortText.min(1).max(128)
const Message = z.record(z.string(), z.unknown())
const Content = z.union([longText, z.array(Message).max(10_000)])
const Type = z.enum(['text', 'chat'])

const PromptCreate = component('LangfusePromptCreate', {
  name: z.string().min(1).max(255),
  type: Type.nullish().describe('default: text'),
  prompt: Content.describe('a text; of a chat, messages and placeholders'),
  config: any.describe('anything, such as the model and its settings'),
  labels: maybe(z.array(label).max(100)),
  tags: maybe(z.array(shortText.min(1).max(256)).max(100)).describe('of all versions; default: as they are'),
  commitMessage: maybe(shortText),
  isActive: maybe(z.boolean()).describe('true: the same as the label production'),
})
export type LangfusePromptCreate = z.output<typeof PromptCreate>

const Prompt = component('LangfusePrompt', {
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  version: z.int().describe('from 1; our `v0` is version 1'),
  type: Type,
  prompt: Content,
  config: any,
  labels: z.array(z.string()),
  tags: z.array(z.string()),
  commitMessage: z.string().nullable(),
  resolutionGraph: z
    .object({
      root: z.object({ id: z.string(), name: z.string(), version: z.int() }),
      dependencies: z.record(
        z.string(),
        z.array(z.object({ id: z.string(), name: z.string(), version: z.int() })),
      ),
    })
    .nullable()
    .describe('the prompts that were put into this one'),
  createdBy: z.string(),
  createdAt: timeOut,
  updatedAt: timeOut,
})
export type LangfusePrompt = z.output<typeof Prompt>

export const langfusePromptCreate = route({
  ...langfuseWrite,
  id: 'langfuse_prompt_create',
  path: '/api/public/v2/prompts',
  summary: 'Publish a version of a prompt',
  body: PromptCreate,
  answer: Prompt,
})

const byName = z.object({ prompt_name: encodedName })
const version = z.coerce.number().int().min(1).max(999_999_999)
const selected = { version: version.optional(), label: label.optional() }

export const langfusePrompt = route({
  ...langfuseRead,
  id: 'langfuse_prompt',
  path: '/api/public/v2/prompts/{prompt_name}',
  summary: 'Read a version of a prompt',
  params: byName,
  query: z.object({
    ...selected,
    resolve: z.stringbool().default(true).describe('put in the prompts that its text names'),
  }),
  answer: Prompt,
})

const Meta = component('LangfusePromptMeta', {
  name: z.string(),
  type: Type,
  versions: z.array(z.int()),
  labels: z.array(z.string()),
  tags: z.array(z.string()),
  lastUpdatedAt: timeOut,
  lastConfig: any,
})
export type LangfusePromptMeta = z.output<typeof Meta>

const time = z.iso.datetime({ offset: true }).optional()
const filters = z.object({
  ...numberedPage,
  name: shortText.optional(),
  label: shortText.optional(),
  tag: shortText.optional(),
  fromUpdatedAt: time,
  toUpdatedAt: time,
  filter: filterText,
})
export type LangfusePromptQuery = z.output<typeof filters>

export const langfusePrompts = route({
  ...langfuseRead,
  id: 'langfuse_prompts',
  path: '/api/public/v2/prompts',
  summary: 'List prompts by name',
  query: filters,
  answer: component('LangfusePrompts', { data: z.array(Meta), meta: LangfusePage }),
})

export const langfusePromptLabel = route({
  ...langfuseWrite,
  method: 'PATCH',
  id: 'langfuse_prompt_label',
  audit: { category: 'labels', names: ['params.prompt_name', 'params.version', 'body.newLabels'] },
  path: '/api/public/v2/prompts/{prompt_name}/versions/{version}',
  summary: 'Give labels to a version of a prompt; each moves from the version that had it',
  params: z.object({ prompt_name: encodedName, version }),
  body: component('LangfusePromptLabels', { newLabels: z.array(label).max(100) }),
  answer: Prompt,
})

export const langfusePromptDelete = route({
  ...langfuseWrite,
  method: 'DELETE',
  id: 'langfuse_prompt_delete',
  audit: { category: 'deletion', names: ['params.prompt_name', 'query.version', 'query.label'] },
  path: '/api/public/v2/prompts/{prompt_name}',
  summary: 'Delete versions of a prompt',
  params: byName,
  query: z.object(selected),
  answer: component('LangfusePromptDeleted', { message: z.string() }),
})
