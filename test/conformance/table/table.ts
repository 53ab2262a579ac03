/** The table of operations of the tracing interface: one row each, in order of their groups. */
import { agents } from './agents.js'
import { alerts } from './alerts.js'
import { annotation, annotators } from './annotation.js'
import { audit } from './audit.js'
import { calls, totals } from './calls.js'
import { completions } from './completions.js'
import { costs, defaults } from './costs.js'
import { datasetSources } from './dataset-sources.js'
import { evaluationObjects } from './evaluation-objects.js'
import { evaluationRuns } from './evaluation-runs.js'
import { evaluationServer } from './evaluation-server.js'
import { feedback } from './feedback.js'
import { files } from './files.js'
import { images } from './images.js'
import { langfuse } from './langfuse.js'
import { langfuseDatasets } from './langfuse-datasets.js'
import { langfuseMedia } from './langfuse-media.js'
import { langfuseMore } from './langfuse-more.js'
import { langfuseRuns } from './langfuse-runs.js'
import { masking } from './masking.js'
import { monitors } from './monitors.js'
import { objects } from './objects.js'
import type { Operation } from './operation.js'
import { projectSettings } from './project-settings.js'
import { rules } from './rules.js'
import { runtimes } from './runtimes.js'
import { service } from './service.js'
import { sharing } from './sharing.js'
import { doors, spans } from './spans.js'
import { statements } from './sql.js'
import { tables } from './tables.js'
import { tools } from './tools.js'

/** Operations beyond the contract's list that are tested as those of the table. */
export const beyondContract: readonly Operation[] = [
  ...doors,
  ...tools,
  ...totals,
  ...monitors,
  ...alerts,
  ...rules,
  ...sharing,
  ...audit,
  ...masking,
  ...annotators,
  ...defaults,
  ...langfuse,
  ...langfuseDatasets,
  ...langfuseRuns,
  ...statements,
  ...langfuseMedia,
  ...langfuseMore,
]

/** The operations of the contract's list, by what they are about, with some of ours about the same. */
export const groups: Readonly<Record<string, readonly Operation[]>> = {
  calls,
  completions,
  costs,
  datasetSources,
  projectSettings,
  runtimes,
  feedback,
  files,
  images,
  objects,
  spans,
  agents,
  tables,
  service,
  annotation,
  evaluationObjects,
  evaluationRuns,
  evaluationServer,
}

export const table: readonly Operation[] = Object.values(groups).flat()

/** Routes beyond the contract's list: for the SDKs' start and for people. */
export const besides = [
  'POST /agents/otel/v1/traces',
  'POST /project/conventions',
  'GET /sql/tables',
  'POST /v1/logs',
  'POST /api/public/ingestion',
  'POST /v1/metrics',
  'POST /graphql',
  'GET /openapi.json',
  'GET /docs',
  'POST /session',
  'GET /session',
  'DELETE /session',
  'GET /sessions',
  'DELETE /sessions',
  'DELETE /sessions/{session_id}',
  'GET /sign-in/ways',
  'GET /sign-in/start/{provider}',
  'GET /sign-in/callback/{provider}',
  'POST /sign-in/email',
  'POST /sign-in/link',
  'POST /sign-in/logout/{provider}',
  'GET /projects',
  'GET /keys',
  'POST /keys',
  'PATCH /keys/{key_id}',
  'DELETE /keys/{key_id}',
  'POST /keys/{key_id}/rotate',
  'GET /users/me/keys',
  'POST /users/me/keys',
  'PATCH /users/me/keys/{key_id}',
  'DELETE /users/me/keys/{key_id}',
  'GET /users/me',
  'POST /users/me/leave',
  'GET /users',
  'POST /users',
  'GET /users/{user_id}',
  'PATCH /users/{user_id}',
  'POST /users/{user_id}/hand-over',
  'GET /members',
  'PUT /members',
  'POST /members/remove',
  'GET /teams',
  'POST /teams',
  'PATCH /teams/{team_id}',
  'DELETE /teams/{team_id}',
  'PUT /teams/{team_id}/members/{user_id}',
  'DELETE /teams/{team_id}/members/{user_id}',
  'GET /roles',
  'PUT /roles/{entity}/{name}',
  'DELETE /roles/{entity}/{name}',
  'GET /invitations',
  'POST /invitations',
  'DELETE /invitations/{invitation_id}',
  'POST /invitations/accept',
  'GET /scim/v2/{resource}',
  'POST /scim/v2/.search',
  'POST /scim/v2/{resource}/.search',
  'POST /scim/v2/{resource}',
  'GET /scim/v2/{resource}/{id}',
  'PUT /scim/v2/{resource}/{id}',
  'PATCH /scim/v2/{resource}/{id}',
  'DELETE /scim/v2/{resource}/{id}',
  'GET /secrets',
  'GET /files/download/{digest}',
  'PUT /files/upload/{digest}',
  'GET /',
  'GET /share/{token}',
  'GET /web/{name}',
  'GET /v1/preview/training-jobs',
  'GET /v1/preview/training-jobs/{training_job_id}',
  'GET /v1/preview/training-jobs/{training_job_id}/metrics',
  'GET /v1/preview/training-jobs/{training_job_id}/logs',
  'GET /v1/preview/training-jobs/{training_job_id}/samples',
  'POST /v1/preview/training-jobs',
  'POST /v1/preview/training-jobs/{training_job_id}/cancel',
  'POST /v1/preview/training-jobs/{training_job_id}/resume',
  'GET /v1/preview/training-jobs/{training_job_id}/events',
  'POST /v1/preview/sft-training-jobs',
  'POST /v1/preview/training-data/preview',
  'GET /v1/preview/models',
  'POST /v1/preview/models',
  'GET /v1/preview/models/{model_id}/checkpoints',
  'GET /v1/preview/models/{model_id}/checkpoints/{step}/download',
  'GET /{entity}/{project}/weave',
  'GET /{entity}/{project}/r/call/{call_id}',
]
