/** The sender of a request and its rights. */

import { errors } from '../errors/catalog.js'
import type { Caller } from '../fairness/caller.js'

export type Right = 'read' | 'write' | 'admin'

/** A right over everything (`*`), an entity, or one `entity/project`. */
export interface Grant {
  scope: string
  right: Right
}

const RANK: Record<Right, number> = { read: 1, write: 2, admin: 3 }

export class Principal {
  /**
   * The account that its requests are charged to: the one entity that all its rights are in, so that the keys of an
   * entity share an account; else its user.
   */
  readonly account: string
  /** The key within its account. */
  readonly caller: Caller

  constructor(
    readonly userId: string,
    readonly username: string,
    readonly grants: readonly Grant[],
    /** the id of the key in lists; empty without a key */
    readonly keyId = '',
    /** `entity/project` where chat completions are logged by default; empty: nowhere */
    readonly traceProject = '',
  ) {
    const entities = new Set(grants.map(({ scope }) => scope.split('/', 1)[0]!))
    const [entity = '*'] = entities
    this.account = entities.size === 1 && entity !== '*' ? entity : `:user:${userId}`
    this.caller = `${this.account}/${keyId || userId}`
  }

  /** True if this caller holds `right` or more over all of `scope`: `entity/project`, an entity, or `*`. */
  may(right: Right, scope: string): boolean {
    const [entity] = scope.split('/', 1)
    return this.grants.some(
      (grant) =>
        RANK[grant.right] >= RANK[right] &&
        (grant.scope === '*' || grant.scope === entity || grant.scope === scope),
    )
  }

  /** True if this caller holds `right` or more over anything. */
  mayAnywhere(right: Right): boolean {
    return this.grants.some((grant) => RANK[grant.right] >= RANK[right])
  }

  /** Throws `NO_RIGHT` (403) unless {@link may}. */
  must(right: Right, project: string): void {
    if (!this.may(right, project)) throw errors.noRight(right, project)
  }
}

/** The caller of a public route that sent no key. */
export const nobody = new Principal('', '', [])
