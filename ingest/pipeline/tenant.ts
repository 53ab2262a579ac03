/** Whom a write is charged to, and whose turn it takes. */
export interface Tenant {
  readonly entity: string
  /** a project of the entity, or a key of it where the project is not known */
  readonly project: string
}

/** The tenant of `project` (`entity/project`). */
export function tenantOf(project: string): Tenant {
  return { entity: project.slice(0, project.indexOf('/')), project }
}
