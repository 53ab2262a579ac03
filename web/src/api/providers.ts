/** Providers of models that a project describes: objects that name an address, the name of a secret, and models. */
import { queryOptions } from '@tanstack/react-query'
import { post, type Schemas, send } from './client'

export type Runtime = Schemas['CustomRuntimeApplyBody']

export interface ProviderModel {
  /** the provider's own name of it */
  name: string
  /** what a completion calls it */
  asked: string
  maxTokens: number
}

export interface Provider {
  id: string
  /** as it was given; the id has fewer letters to choose from */
  name: string
  address: string
  /** '': none */
  secret: string
  headers: Record<string, string>
  models: ProviderModel[]
}

const MOST = 1_000

interface Value {
  name?: string | null
  base_url?: string
  api_key_name?: string | null
  extra_headers?: Record<string, string> | null
  provider?: string
  max_tokens?: number
}

/** All providers of a project with their models; a model whose provider is gone stands below an id without an address. */
export async function readProviders(project: string, signal: AbortSignal): Promise<Provider[]> {
  const filter = { latest_only: true, base_object_classes: ['Provider', 'ProviderModel'] }
  const { objs } = await post('/objs/query', { project_id: project, filter, limit: MOST }, signal)
  return providersOf(objs)
}

/** The newest versions of providers and their models, put together. Pure. */
export function providersOf(
  objects: readonly Pick<Schemas['ObjSchema'], 'object_id' | 'digest' | 'leaf_object_class' | 'val'>[],
): Provider[] {
  const found = new Map<string, Provider>()
  const ids = new Map<string, string>()
  const of = (id: string): Provider => {
    const known = found.get(id) ?? { id, name: id, address: '', secret: '', headers: {}, models: [] }
    found.set(id, known)
    return known
  }
  for (const { object_id: id, digest, leaf_object_class: kind, val } of objects) {
    if (kind !== 'Provider') continue
    const { name, base_url: address, api_key_name: secret, extra_headers: headers } = val as Value
    Object.assign(of(id), {
      name: name || id,
      address: address ?? '',
      secret: secret ?? '',
      headers: headers ?? {},
    })
    ids.set(digest, id)
  }
  for (const { object_id: id, leaf_object_class: kind, val } of objects) {
    if (kind !== 'ProviderModel') continue
    const { name, provider = '', max_tokens: maxTokens = 4096 } = val as Value
    // It names its provider by a ref, its id, or the digest of the version that it was made with.
    const named = /\/object\/([^:/]+):/.exec(provider)?.[1] ?? ids.get(provider) ?? provider
    const isSure = !ids.has(provider)
    of(named).models.push({ name: name || id, asked: isSure ? id : `${named}/${name || id}`, maxTokens })
  }
  return [...found.values()]
}

export const providersQuery = (project: string) =>
  queryOptions({
    queryKey: ['providers', project],
    queryFn: ({ signal }) => readProviders(project, signal),
  })

/** Describes a provider and all its models; those left out are deleted. */
export const saveProvider = (project: string, name: string, runtime: Runtime) =>
  send('PUT', `/v2/${project}/runtimes/${encodeURIComponent(name)}`, runtime)
