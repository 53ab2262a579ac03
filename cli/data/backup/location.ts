/** The location of a backup, in ClickHouse's syntax. Pure. */
import type { S3Access } from '../../../platform/artifacts/open.js'

/**
 * The text after TO or FROM for the folder `name` below `address`.
 * @param address an absolute path, or `s3://bucket/prefix`
 * @param embedded whether the engine is embedded, so it has no credentials of its own
 * @throws Error that says what is missing
 */
export function locationOf(address: string, name: string, access: S3Access, embedded: boolean): string {
  const root = address.replace(/\/+$/, '')
  if (!root.startsWith('s3://')) return `File(${literal(`${root}/${name}`)})`
  const { region = 'us-east-1', endpoint, accessKeyId, secretAccessKey, sessionToken } = access
  if (sessionToken !== undefined)
    throw new Error('a backup to S3 needs lasting keys: ClickHouse takes no AWS_SESSION_TOKEN here')
  const base = (endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')
  const url = `${base}/${root.slice('s3://'.length)}/${name}`
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return `S3(${[url, accessKeyId, secretAccessKey].map(literal).join(', ')})`
  if (embedded)
    throw new Error(`${address} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for the embedded engine`)
  // The server uses its own role.
  return `S3(${literal(url)})`
}

/** `text` as a string of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
