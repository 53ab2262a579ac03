import { z } from 'zod'
import { RIGHTS } from '../platform/http/principal.js'
import { route } from '../platform/http/route.js'
import { component, timeOut } from './shared.js'

const tag = 'Keys'
/** An administrator of an entity sees and makes the keys whose rights all lie in it. */
const asked = { tag, access: 'admin', project: 'handler' } as const
const scope = z.string().max(300).describe('*, an entity or entity/project')

export const Grant = component('Grant', {
  scope,
  right: z.enum(RIGHTS),
  area: z.string().min(1).max(100).optional().describe('the tag of the routes that it is for; default: all'),
})
const time = z.iso.datetime({ offset: true })
const models = z.array(z.string().min(1).max(300)).min(1).max(100)
const addresses = z.array(z.string().max(100)).min(1).max(100)
/** What keys are limited to beside their rights. */
const limits = {
  expires_at: time.nullish().describe('default: it does not expire'),
  models: models.nullish().describe('names of the models that it may ask; default: all'),
  addresses: addresses
    .nullish()
    .describe('addresses and networks, such as 10.0.0.0/8, that it works from; default: all'),
}
const ApiKey = component('ApiKey', {
  key_id: z.string(),
  user_id: z.string(),
  username: z.string(),
  label: z.string(),
  grants: z.array(Grant),
  trace_project: z.string().nullable().describe('where its chat completions are logged'),
  created_at: timeOut,
  expires_at: timeOut.nullable(),
  models: models.nullable(),
  addresses: addresses.nullable(),
  is_personal: z.boolean().describe('its rights are those of its user, as far as its grants have them too'),
  replaces: z.string().nullable().describe('the key that it was rotated from'),
  is_current: z.boolean().describe('this request is made with it, or with its session'),
})

const KeyCreateRes = component('KeyCreateRes', {
  key: z.string().describe('not stored, and not shown again'),
  key_id: z.string(),
})

const KeyRevokeRes = component('KeyRevokeRes', {})

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
    ...limits,
  }),
  answer: KeyCreateRes,
})

export const rotateKey = route({
  ...asked,
  id: 'key_rotate',
  audit: { category: 'access', names: ['params.key_id'] },
  method: 'POST',
  path: '/keys/{key_id}/rotate',
  summary: 'Make a key that replaces another, with its rights and limits; the old one works for a while yet',
  params: z.object({ key_id: z.string().min(1).max(100) }),
  body: component('KeyRotateReq', {
    overlap_seconds: z
      .int()
      .min(0)
      .max(30 * 86_400)
      .default(86_400)
      .describe('how long the old one works'),
    expires_at: time
      .nullish()
      .describe('of the new one; default: it lives as long as the old one was to live'),
  }),
  answer: KeyCreateRes,
})

/** What of a key may be changed; what is left out stays. */
const changes = {
  label: z.string().max(200).optional().describe('a note about its purpose'),
  trace_project: z.string().max(300).nullish().describe('log its chat completions there; null: nowhere'),
  expires_at: time.nullish().describe('null: it does not expire'),
  models: models.nullish().describe('names of the models that it may ask; null: all'),
  addresses: addresses.nullish().describe('addresses and networks that it works from; null: all'),
}

const changing = {
  audit: {
    category: 'access',
    names: ['params.key_id', 'body.grants', 'body.expires_at', 'body.models', 'body.addresses'],
  },
  method: 'PATCH',
  params: z.object({ key_id: z.string().min(1).max(100) }),
  answer: ApiKey,
} as const

export const updateKey = route({
  ...asked,
  id: 'key_update',
  ...changing,
  path: '/keys/{key_id}',
  summary: 'Change the label, rights and limits of a key; the changes work within 10 seconds',
  body: component('KeyUpdateReq', { ...changes, grants: z.array(Grant).min(1).max(50).optional() }),
})

/** Users about the keys that follow them. */
const mine = { tag, access: 'read', project: 'none' } as const

export const listOwnKeys = route({
  ...mine,
  id: 'own_keys_list',
  method: 'GET',
  path: '/users/me/keys',
  summary: 'List your personal keys, oldest first',
  answer: component('OwnKeysRes', { keys: z.array(ApiKey) }),
})

export const createOwnKey = route({
  ...mine,
  id: 'own_key_create',
  audit: { category: 'access', names: ['body.grants', 'body.trace_project'] },
  method: 'POST',
  path: '/users/me/keys',
  summary: 'Make a personal key in your session: what it may do is what you may do at the time',
  body: component('OwnKeyCreateReq', {
    label: z.string().max(200).default('').describe('a note about its purpose'),
    grants: z.array(Grant).max(50).default([]).describe('what of your rights it has; default: all'),
    trace_project: z.string().max(300).nullish().describe('log its chat completions there'),
    ...limits,
    expires_at: time.nullish().describe('default: in 90 days'),
  }),
  answer: KeyCreateRes,
})

export const updateOwnKey = route({
  ...mine,
  id: 'own_key_update',
  ...changing,
  path: '/users/me/keys/{key_id}',
  summary: 'Change the label, rights and limits of a personal key of yours, in your session',
  body: component('OwnKeyUpdateReq', {
    ...changes,
    grants: z.array(Grant).max(50).optional().describe('what of your rights it has; empty: all'),
    expires_at: time.optional(),
  }),
})

export const revokeOwnKey = route({
  ...mine,
  id: 'own_key_revoke',
  audit: { category: 'access', names: ['params.key_id'] },
  method: 'DELETE',
  path: '/users/me/keys/{key_id}',
  summary: 'Revoke a personal key of yours; it stops working within 10 seconds',
  params: z.object({ key_id: z.string().min(1).max(100) }),
  answer: KeyRevokeRes,
})

export const revokeKey = route({
  ...asked,
  id: 'key_revoke',
  audit: { category: 'access', names: ['params.key_id'] },
  method: 'DELETE',
  path: '/keys/{key_id}',
  summary: 'Revoke a key; it stops working, with its sessions, within 10 seconds',
  params: z.object({ key_id: z.string().min(1).max(100) }),
  answer: KeyRevokeRes,
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
