/** Resolves a model name to its provider's address and key. The only place that opens a provider's key. */
import { z } from 'zod'
import { parseInternalRef } from '../../contract/ref.js'
import { errors } from '../../platform/errors/catalog.js'
import type { Secrets } from '../secrets/secrets.js'
import type { LatestObject } from './latest.js'
import { modelObjectId, readModelName, runtimeObjectId } from './model-name.js'

/** A provider's model, ready to call. */
export interface ProviderModel {
  /** object id of the provider */
  provider: string
  /** the provider's own name of the model */
  model: string
  /** without a trailing slash */
  baseUrl: string
  /** including the key */
  headers: Readonly<Record<string, string>>
  /** must not appear in answers, tables or logs */
  secrets: readonly string[]
}

const ProviderValue = z.object({
  base_url: z.string(),
  api_key_name: z.string().nullish(),
  extra_headers: z.record(z.string(), z.string()).nullish(),
})
const ModelValue = z.object({ name: z.string().nullish(), provider: z.string().nullish() })

/** Headers that belong to the connection, or that make clouds' metadata services answer. */
const NOT_THEIRS =
  /^(host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|metadata-flavor|x-aws-ec2-metadata-token.*|metadata)$/i
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
/** Headers that may carry credentials. */
const CREDENTIAL = /auth|key|token|secret|cookie|password/i

export class Providers {
  constructor(
    private readonly latest: LatestObject,
    private readonly secrets: Secrets,
  ) {}

  /**
   * The model called `name` in `project` (`entity/project`).
   * @throws `NO_PROVIDER` (404), `BAD_PROVIDER` (400) for an invalid object, `NO_SECRET` (400), `SECRET_NOT_FOR` (400)
   *   if the key is for another address
   */
  async find(project: string, name: string): Promise<ProviderModel> {
    const { provider, model } = await this.named(project, name)
    const text =
      (await this.latest(project, provider, 'Provider')) ??
      (await this.latest(project, runtimeObjectId(provider), 'Provider'))
    if (text === undefined) throw errors.noProvider(name, `provider "${provider}" not found`)
    const { base_url, api_key_name, extra_headers } = fieldsOf(ProviderValue, text, provider)
    if (!isPlainAddress(base_url))
      throw errors.badProvider(
        provider,
        'base_url must be an http or https address without query and credentials',
      )
    const extra = Object.entries(extra_headers ?? {})
    for (const [header, value] of extra) checkHeader(provider, header, value)
    const key = api_key_name ? await this.key(project, api_key_name, base_url) : undefined
    const kept = extra.filter(([header]) => key === undefined || header.toLowerCase() !== 'authorization')
    const hidden = extra.filter(([header]) => CREDENTIAL.test(header)).map(([, value]) => value.trim())
    return {
      provider,
      model,
      baseUrl: base_url.replace(/\/+$/, ''),
      headers: { ...Object.fromEntries(kept), ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      secrets: key === undefined ? hidden : [key, ...hidden],
    }
  }

  private async named(project: string, name: string): Promise<{ provider: string; model: string }> {
    const named = readModelName(name)
    if (!named) throw errors.noProvider(name, 'the name is invalid')
    const id = 'object' in named ? named.object : modelObjectId(named.provider, named.model)
    const text = id && (await this.latest(project, id, 'ProviderModel'))
    const described = text ? fieldsOf(ModelValue, text, id) : undefined
    if ('provider' in named) return { ...named, model: described?.name || named.model }
    const provider = described?.provider && providerId(described.provider)
    if (!provider) throw errors.noProvider(name, 'no object of that name describes a provider model')
    return { provider, model: described.name || named.object }
  }

  private async key(project: string, name: string, address: string): Promise<string> {
    // HTTP strips white space around header values, so strip it before hiding the key in answers.
    const key = (await this.secrets.find(project, name, address))?.trim()
    if (key === undefined) throw errors.noSecret(name)
    if (key === '' || !HEADER_VALUE.test(key)) throw errors.badSecret(name)
    return key
  }
}

/** A provider's object id, from an id or a ref. */
function providerId(text: string): string {
  const ref = parseInternalRef(text)
  return ref?.kind === 'object' ? ref.name : text
}

function checkHeader(provider: string, header: string, value: string): void {
  if (HEADER_NAME.test(header) && !NOT_THEIRS.test(header) && HEADER_VALUE.test(value)) return
  throw errors.badProvider(provider, `its header "${header.slice(0, 100)}" can't be sent`)
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function fieldsOf<S extends z.ZodType>(schema: S, text: string, objectId: string): z.output<S> {
  const parsed = schema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.') || 'its value'
  throw errors.badProvider(objectId, `${field} is invalid`)
}
