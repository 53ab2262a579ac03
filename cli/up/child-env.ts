/**
 * The environment of child processes: this process's, without the credentials and settings that the child does not
 * read. Knows no child.
 */

/** Settings of Heddle and its stores; their addresses may contain credentials. */
const SETTINGS = /^(HEDDLE|CLICKHOUSE|REDIS)_/
/** Usual names of variables with credentials. */
const CREDENTIAL =
  /(^|_)(API_?KEY|KEY|KEY_ID|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|HEADERS)(_|$)/i

/**
 * @param reads names of variables that the child reads, or prefixes that end in `*`
 * @param added variables for this child only
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
