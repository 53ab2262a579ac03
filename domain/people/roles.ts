/** Roles: the built-in ones, those of entities, and the grants that follow from them. Pure. */
import { type Grant, isRight, type Right } from '../../platform/http/principal.js'

/** A right in the routes of one area (their tag), or in all of them. */
export interface Permission {
  area: string
  right: Right
}

/** The area that stands for all areas. */
export const EVERYWHERE = '*'
/** The areas of people who look at results and say what they think of them. */
const ANNOTATION_AREAS = ['Annotation queues', 'Feedback']

const all = (right: Right): Permission => ({ area: EVERYWHERE, right })

/** Of the built-in roles, the strongest first. */
export const BUILT_IN_ROLES = {
  owner: [all('admin')],
  admin: [all('admin')],
  member: [all('write')],
  annotator: [all('read'), ...ANNOTATION_AREAS.map((area) => ({ area, right: 'write' as const }))],
  viewer: [all('read')],
} as const satisfies Record<string, readonly Permission[]>

/** Who has it may make others owners, and unmake them. */
export const OWNER = 'owner'

/** A role that an entity made. */
export interface CustomRole {
  /** `*`: for all entities */
  entity: string
  name: string
  title: string
  permissions: readonly Permission[]
  /** 1, 2, … */
  version: number
}

/** The roles that entities made, by entity and name. */
export class RoleCatalog {
  private readonly byName: ReadonlyMap<string, CustomRole>

  constructor(readonly custom: readonly CustomRole[]) {
    this.byName = new Map(custom.map((role) => [`${role.entity} ${role.name}`, role]))
  }

  /** What the role called `name` permits in `scope`; undefined: there is none. */
  permissionsOf(name: string, scope: string): readonly Permission[] | undefined {
    if (isBuiltIn(name)) return BUILT_IN_ROLES[name]
    const entity = scope.split('/', 1)[0]!
    return (this.byName.get(`${entity} ${name}`) ?? this.byName.get(`* ${name}`))?.permissions
  }

  /** The grants that the role gives over `scope`; none if there is no such role any more. */
  grantsOf(name: string, scope: string): Grant[] {
    return (this.permissionsOf(name, scope) ?? []).map(({ area, right }) =>
      area === EVERYWHERE ? { scope, right } : { scope, right, area },
    )
  }
}

/** Whether it is the name of a built-in role. */
export function isBuiltIn(name: string): name is keyof typeof BUILT_IN_ROLES {
  return Object.hasOwn(BUILT_IN_ROLES, name)
}

/** `area:right`. */
export const permissionText = ({ area, right }: Permission): string => `${area}:${right}`

/** Reads `area:right`; undefined: it is none. */
export function parsePermission(text: string): Permission | undefined {
  const colon = text.lastIndexOf(':')
  const right = text.slice(colon + 1)
  if (colon < 1 || !isRight(right)) return undefined
  return { area: text.slice(0, colon), right }
}
