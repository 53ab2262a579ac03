/** The list of traces that was looked at last, so that the way back from a trace leads to it: filter, time, columns. */

const keyOf = (project: string) => `heddle.traces.${project}`

/** @param search of the address of the list */
export function keepList(project: string, search: object): void {
  sessionStorage.setItem(keyOf(project), JSON.stringify(search))
}

/** The search of its address; empty: none was looked at in this tab. */
export function lastList(project: string): object {
  const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(project)) ?? '{}')
  return typeof kept === 'object' && kept !== null ? kept : {}
}
