/** API keys and the names of secrets, as far as who is signed in administers them. */
import { queryOptions } from '@tanstack/react-query'
import { get, post, type Schemas, send } from './client'

export type ApiKey = Schemas['ApiKey']
export type Grant = Schemas['Grant']
export type Secret = Schemas['SecretName']

export const keysQuery = queryOptions({
  queryKey: ['keys', 'all'],
  queryFn: async ({ signal }) => (await get('/keys', signal)).keys,
})

export const makeKey = (asked: Schemas['KeyCreateReq']) => post('/keys', asked)

/** Makes a key that replaces another, which works for a day yet. */
export const rotateKey = async (id: string): Promise<Schemas['KeyCreateRes']> =>
  (await send('POST', `/keys/${encodeURIComponent(id)}/rotate`, {})).json()

export const revokeKey = (id: string) => send('DELETE', `/keys/${encodeURIComponent(id)}`)

/** The personal keys of who is signed in. */
export const ownKeysQuery = queryOptions({
  queryKey: ['keys', 'own'],
  queryFn: async ({ signal }) => (await get('/users/me/keys', signal)).keys,
})

export const makeOwnKey = (asked: Schemas['OwnKeyCreateReq']) => post('/users/me/keys', asked)

export const revokeOwnKey = (id: string) => send('DELETE', `/users/me/keys/${encodeURIComponent(id)}`)

/** Changes a key; what is left out stays. */
export const updateKey = ({ key_id: id, is_personal: isPersonal }: ApiKey, to: Schemas['KeyUpdateReq']) =>
  send('PATCH', `${isPersonal ? '/users/me/keys' : '/keys'}/${encodeURIComponent(id)}`, to)

export const secretsQuery = queryOptions({
  queryKey: ['secrets'],
  queryFn: async ({ signal }) => (await get('/secrets', signal)).secrets,
})
