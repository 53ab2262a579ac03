/** How often rules have masked something. Sums add up; keys are plain texts, so that threads can send them. */
import type { RuleSet } from './rule-set.js'

/** By {@link countKey}, how often. */
export type Counts = Map<string, number>

/** @param project entity/project, or an internal id; empty: none */
function countKey(project: string, scope: string, rule: string): string {
  return JSON.stringify([project, scope, rule])
}

/** The parts of a key. */
export function keyParts(key: string): [project: string, scope: string, rule: string] {
  return JSON.parse(key) as [string, string, string]
}

/** Counts matches of a set's rules in a project. */
export function counter(counts: Counts, project: string, set: RuleSet): (at: number) => void {
  const keys: string[] = []
  return (at) => {
    const { rule, scope } = set.rules[at]!
    keys[at] ??= countKey(project, scope, rule.name)
    counts.set(keys[at], (counts.get(keys[at]) ?? 0) + 1)
  }
}

export function addCounts(to: Counts, more: Iterable<readonly [string, number]>): void {
  for (const [key, count] of more) to.set(key, (to.get(key) ?? 0) + count)
}
