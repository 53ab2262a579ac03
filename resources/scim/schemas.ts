/** What this service says of itself to SCIM clients: its abilities, its kinds of resources and their attributes. */
import type { JsonObject } from './filter.js'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

const attribute = (name: string, description: string, more: JsonObject = {}): JsonObject => ({
  ...{ name, description, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...more },
})

const SCHEMAS: JsonObject[] = [
  {
    ...{ id: USER, name: 'User', description: 'A person' },
    attributes: [
      attribute('userName', 'what they sign in by', { required: true, uniqueness: 'server' }),
      attribute('name', 'their name', {
        type: 'complex',
        subAttributes: [
          attribute('formatted', 'the whole name'),
          attribute('familyName', 'the family name'),
          attribute('givenName', 'the given name'),
        ],
      }),
      attribute('displayName', 'how they are shown'),
      attribute('emails', 'their addresses', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'an address'),
          attribute('type', 'such as work'),
          attribute('primary', 'the one that counts', { type: 'boolean' }),
        ],
      }),
      attribute('active', 'whether anything of theirs works', { type: 'boolean' }),
    ],
  },
  {
    ...{ id: GROUP, name: 'Group', description: 'A team' },
    attributes: [
      attribute('displayName', 'its name', { required: true }),
      attribute('members', 'who is in it', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'id of the user', { mutability: 'immutable', caseExact: true }),
          attribute('$ref', 'address of the user', {
            ...{ type: 'reference', referenceTypes: ['User'], mutability: 'immutable' },
          }),
        ],
      }),
    ],
  },
]

/** Everything that is described, by the name of its place and its id. @param base address of `/scim/v2` */
export function described(base: string): Readonly<Record<string, JsonObject | JsonObject[]>> {
  const meta = (resourceType: string, path: string) => ({ resourceType, location: `${base}/${path}` })
  const supported = { supported: true }
  return {
    ServiceProviderConfig: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: supported,
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: supported,
      authenticationSchemes: [
        { type: 'oauthbearertoken', name: 'API key', description: 'as Bearer token', primary: true },
      ],
      meta: meta('ServiceProviderConfig', 'ServiceProviderConfig'),
    },
    ResourceTypes: SCHEMAS.map(({ id, name, description }) => ({
      ...{ schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'], id: name!, name: name! },
      ...{ description: description!, endpoint: `/${String(name)}s`, schema: id! },
      meta: meta('ResourceType', `ResourceTypes/${String(name)}`),
    })),
    Schemas: SCHEMAS.map((schema) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
      ...schema,
      meta: meta('Schema', `Schemas/${String(schema.id)}`),
    })),
  }
}
