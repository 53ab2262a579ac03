/**
 * The rules of all scopes, as a process or a thread knows them at a moment, and the set that holds in each project:
 * those of the project, of its entity, and of everybody. Pure.
 */
import { z } from 'zod'
import { MaskRule } from '../../contract/masking.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { Lru } from '../../platform/lru/lru.js'
import { RuleSet, ruleProblem, type ScopedRule } from './rule-set.js'

/** The rules of a scope, as they are kept. */
export const StoredRules = z.object({ scope: z.string(), salt: z.string(), rules: z.array(MaskRule) })
export type StoredRules = z.output<typeof StoredRules>

const MOST_SETS = 4096

export class RulesByScope {
  private readonly byScope = new Map<string, ScopedRule[]>()
  private readonly sets = new Lru<RuleSet>(MOST_SETS, undefined, 1)
  /** sets with the same rules are one */
  private readonly made = new Map<string, RuleSet>()
  private readonly scopeOfId = new Map<string, string>()

  /** Rules that can't be used are left out: they were refused when they were saved. */
  constructor(stored: readonly StoredRules[]) {
    for (const { scope, salt, rules } of stored) {
      const usable = rules.filter((rule) => ruleProblem(rule) === undefined)
      if (usable.length === 0) continue
      const scoped = usable.map((rule): ScopedRule => ({ rule, scope, salt }))
      this.byScope.set(scope, [...(this.byScope.get(scope) ?? []), ...scoped])
      if (scope.includes('/')) this.scopeOfId.set(projectIdOf(scope), scope)
    }
  }

  /** Whether there is no rule at all. */
  get isEmpty(): boolean {
    return this.byScope.size === 0
  }

  /** Whether a rule is of an entity, so that a project's entity has to be known. */
  get hasEntities(): boolean {
    for (const scope of this.byScope.keys()) if (scope !== '*' && !scope.includes('/')) return true
    return false
  }

  /** The rules of these scopes, the first before all others. */
  ofScopes(scopes: readonly string[]): RuleSet {
    const there = [...new Set(scopes)].filter((scope) => this.byScope.has(scope))
    const key = there.join('\n')
    let set = this.made.get(key)
    if (set === undefined) {
      set = new RuleSet(there.flatMap((scope) => this.byScope.get(scope)!))
      this.made.set(key, set)
    }
    return set
  }

  /** What holds in `project` (entity/project); empty: what holds for everybody. */
  of(project: string): RuleSet {
    let set = this.sets.get(project)
    if (set === undefined) {
      set = this.ofScopes([project, project.split('/')[0]!, '*'])
      this.sets.set(project, set)
    }
    return set
  }

  /** What holds in any of these projects. */
  ofAll(projects: Iterable<string>): RuleSet {
    const all = [...projects]
    if (all.length === 1) return this.of(all[0]!)
    return this.ofScopes([...all, ...all.map((project) => project.split('/')[0]!), '*'])
  }

  /** What holds in any project at all. */
  ofAny(): RuleSet {
    return this.ofScopes([...this.byScope.keys()])
  }

  /** What holds in a project of which only the id is known: where its entity may have rules, those of all entities. */
  ofUnknown(projectId: string): RuleSet {
    const own = this.scopeOfId.get(projectId)
    const entities = [...this.byScope.keys()].filter((scope) => scope !== '*' && !scope.includes('/'))
    return this.ofScopes([...(own === undefined ? [] : [own]), ...entities, '*'])
  }
}
