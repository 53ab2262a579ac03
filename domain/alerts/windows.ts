/** How many windows of an alert can be measured one after the other. Pure; pages use it, too. */

const MOST_SECONDS = 31 * 86_400
/** Each is a statement of its own. */
const MOST_OF_SQL = 12

/** @param seconds of a window @param wanted windows */
export function readableWindows(type: 'calls' | 'feedback' | 'sql', seconds: number, wanted: number): number {
  const most = Math.max(1, Math.floor(MOST_SECONDS / seconds))
  return Math.min(wanted, most, type === 'sql' ? MOST_OF_SQL : most)
}
