/** The sender of a request and its rights. */

import { errors } from '../errors/catalog.js'
import type { Caller } from '../fairness/caller.js'

/** The weakest first. */
export const RIGHTS = ['read', 'write', 'admin'] as const
export type Right = (typeof RIGHTS)[number]

export const isRight = (text: string): text is Right => RIGHTS.some((right) => right === text)

/** By which rights are compared: more gives all that less does. */
export const RANK: Record<Right, number> = { read: 1, write: 2, admin: 3 }

/** A right over everything (`*`), an entity, or one `entity/project`. */
export interface Grant {
  scope: string
  right: Right
  /** the tag of the routes that it is good for; absent: all routes */
  area?: string
}

/** What a key is limited to, beside its rights. */
export interface KeyLimits {
  /** names of the models that may be asked; absent: all */
  models?: readonly string[]
  /** addresses and networks that it may be used from; absent: all */
  addresses?: readonly string[]
}

/** Attributes of a principal besides its rights, which few have. */
export interface PrincipalAttributes {
  /** of users: the scopes that they own; absent: the caller is no user, and owns what it administers */
  owned?: readonly string[]
  /** of keys */
  limits?: KeyLimits
  /** of keys that expire: when, in ms since the epoch */
  expiresAt?: number
}

/** Whether `scope` is `outer`, or lies in it. */
export const isWithin = (scope: string, outer: string): boolean =>
  outer === '*' || outer === scope || outer === scope.split('/', 1)[0]

export class Principal {
  /**
   * The account that its requests are charged to: the one entity that all its rights are in, so that the keys of an
   * entity share an account; else its user.
   */
  readonly account: string
  /** The key within its account. */
  readonly caller: Caller
  /** The scopes with the rank of the right over them; of the grants without an area. Made when it is first asked. */
  private ranks: ReadonlyMap<string, number> | undefined
  /** by area, what {@link within} returned; undefined: no grant has an area */
  private readonly narrowed: Map<string, Principal> | undefined

  constructor(
    readonly userId: string,
    readonly username: string,
    readonly grants: readonly Grant[],
    /** the id of the key in lists; of a user's session `user:` and the id of the user; empty: it has neither */
    readonly keyId = '',
    /** `entity/project` where chat completions are logged by default; empty: nowhere */
    readonly traceProject = '',
    readonly attributes: PrincipalAttributes = {},
    private readonly wider?: Principal,
  ) {
    const entities = new Set(grants.map(({ scope }) => scope.split('/', 1)[0]!))
    const [entity = '*'] = entities
    this.account = wider?.account ?? (entities.size === 1 && entity !== '*' ? entity : `:user:${userId}`)
    this.caller = `${this.account}/${keyId || userId}`
    if (grants.some(({ area }) => area !== undefined)) this.narrowed = new Map()
  }

  /** This caller with all its rights, whichever area it was narrowed to. */
  get whole(): Principal {
    return this.wider ?? this
  }

  /** True if its rights are those of a user: in a session, or by a key that follows its user. */
  get isUser(): boolean {
    return this.attributes.owned !== undefined
  }

  /**
   * The caller as routes of this area see it: grants of the area count there, and those of others don't. Without such
   * grants, which is most callers, that is the caller itself.
   * @param area the tag of a route
   */
  within(area: string): Principal {
    if (this.narrowed === undefined) return this
    let known = this.narrowed.get(area)
    if (known === undefined) {
      const grants = this.grants
        .filter((grant) => grant.area === undefined || grant.area === area)
        .map(({ scope, right }) => ({ scope, right }))
      const { userId, username, keyId, traceProject, attributes } = this
      known = new Principal(userId, username, grants, keyId, traceProject, attributes, this)
      this.narrowed.set(area, known)
    }
    return known
  }

  /**
   * True if this caller holds `right` or more over all of `scope`: `entity/project`, an entity, or `*`. Grants with an
   * area don't count; see {@link within}.
   */
  may(right: Right, scope: string): boolean {
    this.ranks ??= ranksOf(this.grants)
    const { ranks } = this
    if (ranks.size === 0) return false
    const wanted = RANK[right]
    if ((ranks.get('*') ?? 0) >= wanted || (ranks.get(scope) ?? 0) >= wanted) return true
    const slash = scope.indexOf('/')
    return slash > 0 && (ranks.get(scope.slice(0, slash)) ?? 0) >= wanted
  }

  /** True if this caller holds `right` or more over anything. */
  mayAnywhere(right: Right): boolean {
    this.ranks ??= ranksOf(this.grants)
    for (const rank of this.ranks.values()) if (rank >= RANK[right]) return true
    return false
  }

  /** Throws `NO_RIGHT` (403) unless {@link may}. */
  must(right: Right, project: string): void {
    if (!this.may(right, project)) throw errors.noRight(right, project)
  }

  /** True if this caller holds all that `grant` would give, so that it may give it. */
  covers({ scope, right, area }: Grant): boolean {
    const { whole } = this
    return (area === undefined ? whole : whole.within(area)).may(right, scope)
  }

  /** True if this caller owns `scope`: it may make others its owners. */
  owns(scope: string): boolean {
    const { whole } = this
    const { owned } = this.attributes
    return whole.may('admin', scope) && (owned === undefined || owned.some((one) => isWithin(scope, one)))
  }

  /** True if its key may ask the model of this name. */
  mayAsk(model: string): boolean {
    const { limits } = this.attributes
    return limits?.models === undefined || limits.models.includes(model)
  }
}

function ranksOf(grants: readonly Grant[]): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const { scope, right, area } of grants)
    if (area === undefined) ranks.set(scope, Math.max(RANK[right], ranks.get(scope) ?? 0))
  return ranks
}

/** The caller of a public route that sent no key. */
export const nobody = new Principal('', '', [])
