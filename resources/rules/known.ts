/** The rules of all projects, as their newest versions are. */
import type { RuleDefinition } from '../../contract/rules.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { HeddleError } from '../../platform/errors/error.js'
import { type EvaluationParts, ownRequester, type Requester } from '../evaluation/parts.js'
import { refOf } from '../evaluation/publish.js'
import { type ObjectRow, ObjectsOfClass } from '../objects/of-class.js'
import { conditionOf } from './condition.js'
import { RULE_CLASS, ruleOf } from './rule.js'

/** Who does what rules do. */
const USER = 'rules'

/** One version of a rule. */
export class KnownRule {
  constructor(
    readonly project: string,
    readonly row: ObjectRow,
    readonly definition: RuleDefinition | undefined,
    /** of calls; undefined: its trigger is none of calls, or it has a {@link problem} */
    readonly condition: Sql | undefined,
    readonly problem: string,
  ) {}

  get name(): string {
    return nameOf(this.row.object_id)
  }

  get ref(): string {
    return refOf(this.project, 'object', this.row.object_id, this.row.digest)
  }

  get isActive(): boolean {
    return this.definition?.active ?? false
  }
}

/** So that a rule may be named as the dataset that it adds to: all objects of a project share one space of names. */
const PREFIX = 'rule.'

/** The object of a rule. */
export const objectOf = (name: string): string => `${PREFIX}${name}`
const nameOf = (object: string) => (object.startsWith(PREFIX) ? object.slice(PREFIX.length) : object)

/** Who asks for what rules do. */
export const requesterOf = (project: string): Requester => ownRequester(USER, project)

export type KnownRules = ObjectsOfClass<KnownRule>

export function knownRules(parts: EvaluationParts): KnownRules {
  return new ObjectsOfClass(parts, RULE_CLASS, (row, project, value) => {
    try {
      const definition = ruleOf(value)
      const condition = conditionOf(definition.trigger, nameOf(row.object_id), project)
      return new KnownRule(project, row, definition, condition, '')
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error
      return new KnownRule(project, row, undefined, undefined, error.message)
    }
  })
}
