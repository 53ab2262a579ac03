/** The registry, bound: a link is an object of the registry's project that holds a ref. */
import { linkToRegistry } from '../../contract/project.js'
import { refText } from '../../contract/ref.js'
import { objectDigest } from '../../domain/refs/digest.js'
import { refsToInternal } from '../../domain/refs/refs.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { isProjectName, projectIdOf } from '../../platform/ids/project.js'
import { type JsonTree, treeText } from '../../platform/json/tree.js'
import { classesOf } from '../objects/classes.js'
import { checkObjectId } from '../objects/create.js'
import { checkLive } from '../objects/routes.js'
import { checkAliases } from '../objects/selection.js'
import type { Parts } from '../parts.js'
import { readPointer } from '../refs/pointer.js'

export function registryRoutes({ finder, objectWriter, labels, register }: Parts): Bound[] {
  const link = serve(linkToRegistry, async ({ body, principal, note }) => {
    const { portfolio_name: name, entity_name, project_name } = body.target
    const target = `${entity_name}/${project_name}`
    if (!isProjectName(target)) throw errors.badRequest(`"${target}" is not a project.`)
    note?.({ project: target })
    checkObjectId(name)
    checkAliases(body.aliases)
    const pointer = readPointer(body.ref)
    principal.must('read', pointer.project)
    principal.must('write', target)
    const version = await finder.find(projectIdOf(pointer.project), pointer.name, pointer.digest)
    checkLive(version, `${pointer.name}:${pointer.digest}`)
    // The link stays on this version, whatever `latest` or an alias say later.
    const ref = refText({ ...pointer, digest: version.digest })
    const val: JsonTree = new Map([
      ['_type', 'RegistryLink'],
      ['ref', ref],
    ])
    const internal = refsToInternal(val)
    const key = { project: projectIdOf(target), object: name, digest: objectDigest(internal) }
    await register.note([target, pointer.project])
    const text = treeText(internal)
    await objectWriter.create({ ...key, text, classes: classesOf(internal), userId: principal.userId })
    const linked = await finder.find(key.project, key.object, key.digest)
    if (linked && body.aliases.length > 0) await labels.setAliases(linked, body.aliases, principal.userId)
    return { version_index: linked?.version_index ?? null }
  })
  return [link]
}
