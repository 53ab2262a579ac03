/** The statements of backup and restore. Pure: the operator's texts become literals and names only. */
import { literal } from './location.js'

const NAME = /^[A-Za-z_]\w*$/

export interface Names {
  /** where the tables are, or were */
  database: string
  tables: readonly string[]
  cluster: string | undefined
}

/** @param base location of an earlier backup: only what is new since is written */
export function backupStatement(names: Names, location: string, id: string, base?: string): string {
  const tables = names.tables.map((table) => `TABLE ${qualified(names.database, table)}`)
  const settings = [`id = ${literal(id)}`, ...(base === undefined ? [] : [`base_backup = ${base}`])]
  return `BACKUP ${tables.join(', ')}${on(names.cluster)} TO ${location} SETTINGS ${settings.join(', ')} ASYNC`
}

/** @param database where the tables are to be @param base where the backup that it is based on is now */
export function restoreStatement(
  names: Names,
  database: string,
  location: string,
  id: string,
  base?: string,
): string {
  const tables = names.tables.map(
    (table) => `TABLE ${qualified(names.database, table)} AS ${qualified(database, table)}`,
  )
  const settings = [`id = ${literal(id)}`, ...(base === undefined ? [] : [`base_backup = ${base}`])]
  return `RESTORE ${tables.join(', ')}${on(names.cluster)} FROM ${location} SETTINGS ${settings.join(', ')} ASYNC`
}

function qualified(database: string, table: string): string {
  return `${checked(database)}.${checked(table)}`
}

function on(cluster: string | undefined): string {
  return cluster === undefined ? '' : ` ON CLUSTER ${literal(checked(cluster))}`
}

function checked(name: string): string {
  if (!NAME.test(name)) throw new Error(`not a name of a database or table: ${JSON.stringify(name)}`)
  return name
}
