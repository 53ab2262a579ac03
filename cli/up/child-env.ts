/**
 * The environment of child processes: all of this process's own, less the credentials and settings that the child does
 * not read. Knows nothing of which children there are.
 */

/** Settings of Heddle and its stores, which hold credentials in addresses too. */
const SETTINGS = /^(HEDDLE|CLICKHOUSE|REDIS)_/
/** What people and tools call a variable that holds a credential. */
const CREDENTIAL =
  /(^|_)(API_?KEY|KEY|KEY_ID|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|HEADERS)(_|$)/i

/**
 * @param reads names of variables that the child reads, or what they begin with, ended by `*`
 * @param added on top, for this child alone
 */
export function childEnv(
  reads: readonly string[],
  added: NodeJS.ProcessEnv = {},
  own: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const isRead = (name: string) =>
    reads.some((read) => (read.endsWith('*') ? name.startsWith(read.slice(0, -1)) : name === read))
  const kept = Object.entries(own).filter(
    ([name]) => isRead(name) || !(SETTINGS.test(name) || CREDENTIAL.test(name)),
  )
  return { ...Object.fromEntries(kept), ...added }
}
