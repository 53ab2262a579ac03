/** Declarations of a project's settings: how long it keeps calls, and what happens to spans as they arrive. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, orNull, projectId, readInBody, userIdIn, writeInBody } from './shared.js'

const tag = 'Projects'
const read = { ...readInBody, tag } as const
const body = z.object({ project_id: projectId })

const days = z.int().nullable().describe('null: for ever')

export const ttlRead = route({
  ...read,
  id: 'ttl_settings_read',
  path: '/project/ttl_settings/read',
  summary: 'Read how many days a project keeps its calls',
  body: component('ProjectTTLSettingsReadReq', { project_id: projectId }),
  answer: component('ProjectTTLSettingsReadRes', { retention_days: days }),
})

export const ttlUpdate = route({
  ...writeInBody,
  tag,
  id: 'ttl_settings_update',
  audit: { category: 'settings', names: ['body.retention_days'] },
  path: '/project/ttl_settings/update',
  summary: 'Set how many days a project keeps its calls; older ones are deleted within the hour',
  body: component('ProjectTTLSettingsUpdateReq', {
    project_id: projectId,
    retention_days: orNull(z.int()).describe('null: as long as the operator keeps calls'),
    platform_user_id: userIdIn,
  }),
  answer: component('ProjectTTLSettingsUpdateRes', { retention_days: days.describe('what applies now') }),
})

const keep = z
  .boolean()
  .describe(
    'the tokens of completions that are logged as calls are kept beside them, to train on as they are',
  )

const tokenIdsSettings = component('ProjectTokenIdsSettings', { keep })

export const tokenIdsRead = route({
  ...read,
  id: 'token_ids_settings_read',
  path: '/project/token_ids_settings/read',
  summary: 'Read whether a project keeps the tokens of completions by models served here',
  body: component('ProjectTokenIdsSettingsReadReq', { project_id: projectId }),
  answer: tokenIdsSettings,
})

export const tokenIdsUpdate = route({
  ...writeInBody,
  tag,
  id: 'token_ids_settings_update',
  audit: { category: 'settings', names: ['body.keep'] },
  path: '/project/token_ids_settings/update',
  summary: 'Set whether a project keeps the tokens of completions by models served here',
  body: component('ProjectTokenIdsSettingsUpdateReq', { project_id: projectId, keep }),
  answer: tokenIdsSettings,
})

export const sensitiveDataRead = route({
  ...read,
  id: 'sensitive_data_settings_read',
  path: '/project/sensitive_data_settings',
  summary: 'Read whether personal data is masked in calls as they arrive (HEDDLE_SENSITIVE_DATA)',
  body,
  answer: z.object({ policy: z.enum(['off', 'pii-v1']) }),
})

/** As weave's SDK 0.54 asks. */
export const sensitiveDataGet = route({
  tag,
  method: 'GET',
  access: 'read',
  project: 'query',
  id: 'sensitive_data_settings_get',
  path: '/project/sensitive_data_settings',
  summary: 'The same, with the project in the query',
  query: body,
  answer: z.object({ policy: z.enum(['off', 'pii-v1']) }),
})

export const samplingRead = route({
  ...read,
  id: 'ingest_sampling_settings_read',
  path: '/project/ingest_sampling_settings/read',
  summary: 'Read which part of the traces of exporters is stored (HEDDLE_SAMPLE_RATE)',
  body,
  answer: z.object({
    sample_rate: z.number().describe('1: all'),
    dry_run: z.boolean().describe('true: all are stored all the same'),
  }),
})
