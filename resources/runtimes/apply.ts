/**
 * Brings the objects of an OpenAI-compatible endpoint to a wanted state: a Provider, and a ProviderModel for each of its
 * models.
 */

import type { Runtime } from '../../contract/runtimes.js'
import { versions } from '../../domain/objects/versions-sql.js'
import { playgroundId, runtimeObjectId } from '../../domain/providers/model-name.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { JsonNumber, type JsonTree, storedTree, treeText } from '../../platform/json/tree.js'
import { type Author, Publisher } from '../evaluation/publish.js'
import { asBuiltin } from '../objects/builtin/apply.js'
import { deleteVersions } from '../objects/delete.js'
import { keyOf, type Version } from '../objects/versions.js'
import type { Parts } from '../parts.js'

/** Objects have names of up to 128 characters, with the `-` between the two. */
const MOST_NAME = 127

/** Stores the runtime `name` as `wanted` says; its models that are not listed are deleted when the others are stored. */
export async function applyRuntime(
  parts: Parts,
  author: Author,
  name: string,
  wanted: Runtime,
): Promise<void> {
  const provider = runtimeObjectId(name)
  const models = modelObjects(name, wanted)
  parts.outbound.check(wanted.base_url)
  const providerValue = builtin('Provider', [
    ['name', name],
    ['base_url', wanted.base_url],
    ['api_key_name', wanted.api_key_secret ?? ''],
    ['extra_headers', new Map(Object.entries(wanted.headers))],
  ])
  const publisher = new Publisher(parts)
  const project = projectIdOf(author.project)
  await parts.leases.hold(`runtime/${project}/${provider}`, async () => {
    const own = await ownModels(parts, project, provider, [...models.keys()])
    const digest = await publisher.object(author, provider, providerValue)
    for (const [object, { id, max_tokens }] of models) {
      const value = builtin('ProviderModel', [
        ['name', id],
        ['provider', digest],
        ['max_tokens', new JsonNumber(String(max_tokens))],
      ])
      await publisher.object(author, object, value)
    }
    for (const object of own)
      if (!models.has(object)) await deleteVersions(parts, { project, object, names: [] })
  })
}

/** The models by their objects' ids. @throws 400 for a name that is too long, and for two models of one object */
function modelObjects(name: string, { runtime_ids }: Runtime): Map<string, Runtime['runtime_ids'][number]> {
  const models = new Map<string, Runtime['runtime_ids'][number]>()
  for (const one of runtime_ids) {
    if (name.length + one.id.length > MOST_NAME)
      throw errors.badRequest(
        `"${one.id.slice(0, 100)}" is too long; with the runtime's name it may have ${MOST_NAME} characters.`,
      )
    const object = `${runtimeObjectId(name)}-${runtimeObjectId(one.id)}`
    const other = models.get(object)
    if (other)
      throw errors.badRequest(
        `"${other.id}" and "${one.id}" would be the same object, ${object}; rename one.`,
      )
    models.set(object, one)
  }
  return models
}

function builtin(name: string, fields: [string, JsonTree][]): string {
  return treeText(asBuiltin(new Map(fields), name))
}

/**
 * The ids of the live models of a provider.
 * @param wanted ids that are about to be written. @throws 400 if one of them, or the provider's, is another object's
 */
async function ownModels(
  { store, objectReader }: Parts,
  project: string,
  provider: string,
  wanted: readonly string[],
): Promise<string[]> {
  const named = sql`(object_id = ${bind.string(provider)} OR startsWith(object_id, ${bind.string(`${provider}-`)}))`
  const where = sql`project_id = ${bind.string(project)} AND ${named}`
  const all = await store.rows<Version>(sql`SELECT * FROM (${versions(where)})`)
  const digests = new Set(all.flatMap((one) => (one.object_id === provider ? [one.digest] : [])))
  const own = new Set<string>()
  for (const version of all) {
    if (!version.is_latest) continue
    const { object_id: object, leaf_class } = version
    const isOwn =
      object === provider
        ? leaf_class === 'Provider'
        : leaf_class === 'ProviderModel' && digests.has(providerOf(await objectReader.value(keyOf(version))))
    if (isOwn && object !== provider) own.add(object)
    if (!isOwn && (object === provider || wanted.includes(object)))
      throw errors.badRequest(
        `The object "${object}" exists and is not a part of this runtime; choose another name.`,
      )
  }
  return [...own]
}

/** The provider that a model's value names. */
function providerOf(text: string | undefined): string {
  const value = text === undefined ? undefined : storedTree(text)
  const provider = value instanceof Map ? value.get('provider') : undefined
  return typeof provider === 'string' ? provider : ''
}

/** What the route answers. */
export function runtimeAnswer(name: string, { runtime_ids, ...wanted }: Runtime) {
  const ids = runtime_ids.map((one) => ({ ...one, playground_id: playgroundId(name, one.id) }))
  return { name, ...wanted, runtime_ids: ids }
}
