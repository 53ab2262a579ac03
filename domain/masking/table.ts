import { z } from 'zod'
import { MaskRule } from '../../contract/masking.js'
import type { ChangeMarks } from '../../platform/clickhouse/change-marks.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { parsedAs } from '../../platform/json/parse.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

export interface SavedRules {
  scope: string
  rules: MaskRule[]
  salt: string
  isDeleted: boolean
  /** changes with each save */
  version: string
  changedAt: string
}

type Row = Omit<SavedRules, 'rules' | 'changedAt'> & { rules: string; changed: number }

const Rules = z.array(MaskRule)

/** Of all scopes, also those whose rules were taken back, whose salt stays. @param scopes default: all */
export async function savedRules(
  store: Store,
  scopes?: readonly string[],
  options: StatementOptions = {},
): Promise<SavedRules[]> {
  const those: Sql = scopes === undefined ? sql`` : sql` WHERE scope IN ${bind.strings(scopes)}`
  const rows = await store.rows<Row>(
    sql`SELECT scope, rules, salt, CAST(deleted, 'Bool') AS isDeleted, toString(ver) AS version,
      toUnixTimestamp64Micro(changed_at) AS changed FROM mask_rules FINAL${those} ORDER BY scope`,
    options,
  )
  return rows.map(({ rules, changed, ...row }) => ({
    ...row,
    rules: parsedAs(Rules, rules) ?? [],
    changedAt: isoOfMicros(changed),
  }))
}

/** Differs whenever rules were saved, by whatever clock. */
export function rulesMark(marks: ChangeMarks): Promise<string> {
  return marks.of('mask rules', sql`toString(sum(sipHash64(scope, ver)))`, sql`mask_rules`)
}

/** Resolves with the new version when the rules are stored. @param rules empty: the scope's are taken back */
export async function saveRules(
  store: Store,
  { scope, rules, salt, userId }: { scope: string; rules: readonly MaskRule[]; salt: string; userId: string },
): Promise<string> {
  const ver = String(nextVersion())
  await store.insertRows('mask_rules', [
    {
      ...{ scope, salt, user_id: userId, rules: JSON.stringify(rules) },
      ...{ deleted: rules.length === 0 ? 1 : 0, changed_at: isoOfMicros(nowMicros()), ver },
    },
  ])
  return ver
}

/** What a process has counted on a day so far. */
export interface CountRow {
  day: string
  process: string
  project_id: string
  scope: string
  rule: string
  matches: number
}

export async function writeCounts(store: Store, rows: readonly CountRow[]): Promise<void> {
  const ver = String(nextVersion())
  await store.insertRows(
    'mask_counts',
    rows.map((row) => ({ ...row, ver })),
  )
}

/** The sums of the last `days` days, the newest first. @param projectIds of these projects; undefined: of all */
export function countsOf(
  store: Store,
  days: number,
  projectIds: Sql | undefined,
  options: StatementOptions = {},
): Promise<{ day: string; scope: string; rule: string; matches: number }[]> {
  const those = projectIds === undefined ? sql`` : sql` AND project_id IN (${projectIds})`
  return store.rows(
    sql`SELECT toString(day) AS day, scope, rule, toFloat64(sum(matches)) AS matches FROM mask_counts FINAL
      WHERE mask_counts.day > toDate(now('UTC')) - ${bind.uint(days)}${those}
      GROUP BY day, scope, rule ORDER BY day DESC, scope, rule LIMIT 10000`,
    options,
  )
}
