/**
 * The file that says how people sign in to the pages (`HEDDLE_SIGN_IN`). One schema gives its checks, its types and the
 * tables of docs/operate/sign-in.md.
 */
import { z } from 'zod'
import { isScope } from '../auth/grants.js'

const LONGEST = 300
const text = z.string().min(1).max(LONGEST)
const scope = text.refine(isScope, 'write *, an entity or entity/project')
const role = text.regex(/^[\w.-]{1,64}$/, 'write the name of a role, such as viewer or admin')

/** A role over a scope. */
const membershipSchema = z.strictObject({
  scope: scope.describe('`*`, an entity, or entity/project'),
  role: role.describe('viewer, annotator, member, admin, owner, or a role of your own'),
})

export const mappingSchema = z.strictObject({
  group: text.describe("a group, as it stands in the provider's claim"),
  ...membershipSchema.shape,
})

const domain = text
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'write a domain in lower case, such as example.com')
  .describe('of e-mail addresses')
const email = text.regex(/^[^\s@A-Z]+@[^\s@A-Z]+$/, 'write an e-mail address in lower case')
const hours = z.int().min(1).max(8760).default(720)

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const issuer = text.refine((address) => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, search, hash, username } = new URL(address)
  if (search !== '' || hash !== '' || username !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}, 'write its https address; http is for this machine only')

/** Anybody can have an account there. */
const FOR_ALL = ['https://accounts.google.com']

export const providerSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'use lower-case letters, digits and -')
      .describe('names it in addresses; do not change it later'),
    title: z.string().min(1).max(60).describe('what its button says after "Sign in with"'),
    issuer: issuer.describe('its address, below which `/.well-known/openid-configuration` lies'),
    client_id: text.describe('of this Heddle at the provider'),
    client_secret_env: text.optional().describe('the environment variable that holds the client secret'),
    client_secret_file: text.optional().describe('or the file that does; neither: a public client'),
    scopes: z
      .array(text)
      .refine((list) => list.includes('openid'), 'openid has to be among them')
      .default(['openid', 'email', 'profile'])
      .describe('what is asked for'),
    parameters: z
      .record(z.string().max(60), z.string().max(LONGEST))
      .default({})
      .describe('more parameters of the request, such as `prompt`'),
    groups_claim: text
      .default('groups')
      .describe('the claim that lists groups; a path such as `realm_access.roles` works, too'),
    domains: z
      .array(domain)
      .min(1)
      .optional()
      .describe('only people with a verified e-mail address of these domains come in; unset: no condition'),
    roles: z.array(mappingSchema).max(1000).default([]).describe('what groups give'),
    default_role: membershipSchema.optional().describe('what everyone gets who comes in by this provider'),
    session_hours: hours.describe('how long a session lasts at most'),
    recheck_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(270)
      .describe(
        'how often the provider is asked again who somebody is, while a session is used: if it gives refresh tokens, and `HEDDLE_SECRETS_KEY` is set; a change there counts here after twice this time at most',
      ),
    sign_out_there: z
      .boolean()
      .default(true)
      .describe('signing out here also signs out of the provider, if it has an address for that'),
  })
  .refine(
    (one) => one.client_secret_env === undefined || one.client_secret_file === undefined,
    'name one place of the client secret, not two',
  )
  .refine(
    ({ issuer, domains }) => !FOR_ALL.includes(issuer.replace(/\/$/, '')) || domains !== undefined,
    'set domains: everybody can have an account there',
  )
export type ProviderSettings = z.output<typeof providerSchema>

export const emailSchema = z.strictObject({
  domains: z
    .array(domain)
    .default([])
    .describe('whoever can read mail of these domains comes in; others need an account or an invitation'),
  default_role: membershipSchema.optional().describe('what those get who come in by their domain'),
  session_hours: hours.describe('how long a session lasts at most'),
})

const RESERVED = ['email', 'link', 'ways', 'callback', 'start', 'logout']

export const signInSchema = z.strictObject({
  providers: z
    .array(providerSchema)
    .max(50)
    .default([])
    .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'names must differ')
    .refine(
      (list) => list.every(({ name }) => !RESERVED.includes(name)),
      `names can't be ${RESERVED.join(', ')}`,
    )
    .describe('of OpenID Connect, in the order of their buttons'),
  email: emailSchema
    .optional()
    .describe('sends links to sign in by; it needs `HEDDLE_SMTP_URL` and `HEDDLE_PUBLIC_URL`'),
  first_owners: z
    .array(email)
    .default([])
    .describe('of these, the first to sign in, while there is no user, becomes the owner of everything'),
})
export type SignInSettings = z.output<typeof signInSchema>

/** Nobody signs in but with keys. */
export const NO_SIGN_IN: SignInSettings = { providers: [], first_owners: [] }

/** A file that can't be used; the message says where and why. */
export class SignInFileError extends Error {
  override readonly name = 'SignInFileError'
}

/** Reads the text of the file. @throws {@link SignInFileError} */
export function readSignIn(text: string): SignInSettings {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new SignInFileError(`it is not JSON: ${(error as Error).message}`)
  }
  const read = signInSchema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = issue!.path.join('.')
  throw new SignInFileError(at === '' ? issue!.message : `${at}: ${issue!.message}`)
}

/**
 * The client secret of a provider; undefined: it has none.
 * @param readFile of the operator's disk @throws {@link SignInFileError} if it is named and not there
 */
export function clientSecretOf(
  provider: ProviderSettings,
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): string | undefined {
  const { name, client_secret_env: variable, client_secret_file: file } = provider
  const secret = variable !== undefined ? env[variable] : file === undefined ? undefined : readFile(file)
  if (variable === undefined && file === undefined) return undefined
  if (secret?.trim()) return secret.trim()
  throw new SignInFileError(`the client secret of ${name} is not in ${variable ?? file}`)
}
