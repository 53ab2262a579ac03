/** Declarations of the routes that manage API keys, and list the secrets of model providers. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, timeOut } from './shared.js'

const tag = 'Keys'
/** An administrator of an entity sees and makes the keys whose rights all lie in it. */
const asked = { tag, access: 'admin', project: 'handler' } as const
const scope = z.string().max(300).describe('*, an entity or entity/project')

const Grant = component('Grant', { scope, right: z.enum(['read', 'write', 'admin']) })
const ApiKey = component('ApiKey', {
  key_id: z.string(),
  user_id: z.string(),
  username: z.string(),
  label: z.string(),
  grants: z.array(Grant),
  trace_project: z.string().nullable().describe('where its chat completions are logged'),
  created_at: timeOut,
  is_current: z.boolean().describe('this request is made with it, or with its session'),
})

export const listKeys = route({
  ...asked,
  id: 'keys_list',
  method: 'GET',
  path: '/keys',
  summary: 'List the live keys whose rights all lie in what this key administers, oldest first',
  answer: component('KeysRes', { keys: z.array(ApiKey) }),
})

export const createKey = route({
  ...asked,
  id: 'key_create',
  audit: { category: 'access', names: ['body.username', 'body.grants', 'body.trace_project'] },
  method: 'POST',
  path: '/keys',
  summary: 'Make a key with rights over what this key administers; it is shown once',
  body: component('KeyCreateReq', {
    username: z.string().max(128).nullish().describe('default: who asks'),
    label: z.string().max(200).default('').describe('a note about its purpose'),
    grants: z.array(Grant).min(1).max(50),
    trace_project: z.string().max(300).nullish().describe('log its chat completions there'),
  }),
  answer: component('KeyCreateRes', {
    key: z.string().describe('not stored, and not shown again'),
    key_id: z.string(),
  }),
})

export const revokeKey = route({
  ...asked,
  id: 'key_revoke',
  audit: { category: 'access', names: ['params.key_id'] },
  method: 'DELETE',
  path: '/keys/{key_id}',
  summary: 'Revoke a key; it stops working, with its sessions, within 10 seconds',
  params: z.object({ key_id: z.string().min(1).max(100) }),
  answer: component('KeyRevokeRes', {}),
})

export const listSecrets = route({
  ...asked,
  id: 'secrets_list',
  method: 'GET',
  path: '/secrets',
  summary: 'List the names of the secrets of model providers in what this key administers, without values',
  answer: component('SecretsRes', {
    secrets: z.array(
      component('SecretName', {
        scope,
        name: z.string(),
        origin: z.string().describe('the one address that it may be sent to; *: any'),
        created_at: timeOut,
      }),
    ),
  }),
})
