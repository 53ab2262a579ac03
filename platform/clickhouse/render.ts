/**
 * Fills in the placeholders of migration statements, for one server or a cluster: `{on_cluster}` follows the name of a
 * table, `{engine:Kind(args)}` stands for its engine. Runs nothing.
 */
import { isSharded, shardingOf } from './cluster.js'

const ENGINE = /\{engine:(\w+)(?:\(([^{}]*)\))?\}/g
const ABOUT_A_TABLE = /^(CREATE TABLE IF NOT EXISTS|ALTER TABLE|DROP TABLE IF EXISTS) (\w+) \{on_cluster\}/

/**
 * The statements to run for `statement`: one, or several on a cluster.
 * @param cluster the cluster's name; undefined: one server
 */
export function render(statement: string, cluster: string | undefined): string[] {
  if (cluster === undefined) {
    const whole = statement.replace(ENGINE, (_, kind, args) =>
      args === undefined ? kind : `${kind}(${args})`,
    )
    return [checked(whole.replace(/[ \t]*\{on_cluster\}/, ''))]
  }
  const [, verb, table] = ABOUT_A_TABLE.exec(statement) ?? []
  if (verb === undefined || table === undefined) return [checked(statement)]
  const on = `ON CLUSTER '${cluster}'`
  const local = isSharded(table) ? `${table}_local` : table
  const own = statement
    .replace(ABOUT_A_TABLE, `${verb} ${local} ${on}`)
    .replace(ENGINE, (_, kind, args) => replicated(kind, args, local))
  if (!isSharded(table)) return [checked(own)]
  // A Distributed table has no parts, so it has no such settings.
  if (/\bMODIFY SETTING\b/.test(statement)) return [checked(own)]
  if (verb.startsWith('DROP')) return [`${verb} ${table} ${on}`, checked(own)]
  // A Distributed table holds no rows; recreate it from the local table after its columns change.
  const create = verb.startsWith('CREATE') ? verb : 'CREATE OR REPLACE TABLE'
  const over = `Distributed('${cluster}', currentDatabase(), '${local}', ${shardingOf(table)})`
  return [checked(own), `${create} ${table} ${on} AS ${local}\nENGINE = ${over}`]
}

/** ClickHouse fills in `{shard}`, `{replica}` and `{database}` from each node's own configuration. */
function replicated(kind: string, args: string | undefined, table: string): string {
  // A table that every node holds in full is one replica group over all shards.
  const [group, replica] = table.endsWith('_local') ? ['{shard}', '{replica}'] : ['all', '{shard}-{replica}']
  const more = args === undefined || args === '' ? '' : `, ${args}`
  return `Replicated${kind}('/clickhouse/tables/${group}/{database}/${table}', '${replica}'${more})`
}

function checked(statement: string): string {
  const left = /\{(on_cluster|engine:[^}]*)\}/.exec(statement)
  if (left) throw new Error(`${left[0]} can't stand here: ${statement.slice(0, 80)}…`)
  return statement
}
