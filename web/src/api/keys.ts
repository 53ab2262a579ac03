/** API keys and the names of secrets, as far as who is signed in administers them. */
import { queryOptions } from '@tanstack/react-query'
import { get, post, type Schemas, send } from './client'

export type ApiKey = Schemas['ApiKey']
export type Grant = Schemas['Grant']
export type Secret = Schemas['SecretName']

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await get('/keys', signal)).keys,
})

export const makeKey = (asked: Schemas['KeyCreateReq']) => post('/keys', asked)

export const revokeKey = (id: string) => send('DELETE', `/keys/${encodeURIComponent(id)}`)

export const secretsQuery = queryOptions({
  queryKey: ['secrets'],
  queryFn: async ({ signal }) => (await get('/secrets', signal)).secrets,
})
