/** Changes the roles that entities make. One change at a time, as of users; see directory.ts. */
import { errors } from '../../platform/errors/catalog.js'
import type { Principal } from '../../platform/http/principal.js'
import { mustHold } from './authority.js'
import type { Directory } from './directory.js'
import { putRole } from './role-table.js'
import { type CustomRole, isBuiltIn, RoleCatalog } from './roles.js'

/**
 * Makes or changes a role.
 * @param role its version is the one that is changed; 0: there is none yet
 * @param actor who must have all that it permits in its entity, and permitted before
 * @returns its new version
 * @throws `NAME_TAKEN` of built-in roles, `CHANGED_MEANWHILE` (409), `UNHELD_RIGHT`
 */
export function saveRole(directory: Directory, role: CustomRole, actor: Principal): Promise<number> {
  return directory.change(async (ver) => {
    if (isBuiltIn(role.name)) throw errors.nameTaken(role.name)
    const before = await roleAt(directory, role)
    if ((before?.version ?? 0) !== role.version) throw errors.changedMeanwhile(`The role ${role.name}`)
    mustHold(actor, new RoleCatalog([role]).grantsOf(role.name, role.entity))
    if (before) mustHold(actor, new RoleCatalog([before]).grantsOf(role.name, role.entity))
    const version = role.version + 1
    await putRole(directory.store, { ...role, version }, ver)
    return version
  })
}

/** Deletes a role. @throws `NOT_FOUND`, `UNHELD_RIGHT` */
export function deleteRole(
  directory: Directory,
  named: Pick<CustomRole, 'entity' | 'name'>,
  actor: Principal,
): Promise<void> {
  return directory.change(async (ver) => {
    const before = await roleAt(directory, named)
    if (before === undefined) throw errors.notFound(`The role ${named.name}`)
    mustHold(actor, new RoleCatalog([before]).grantsOf(before.name, before.entity))
    await putRole(directory.store, before, ver, true)
  })
}

async function roleAt(
  directory: Directory,
  { entity, name }: Pick<CustomRole, 'entity' | 'name'>,
): Promise<CustomRole | undefined> {
  const { custom } = await directory.roleCatalog()
  return custom.find((role) => role.entity === entity && role.name === name)
}
