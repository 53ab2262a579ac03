/** The pages that this browser showed last to whoever is signed in, for the palette. Forgotten when they sign out. */

export interface Visited {
  /** with its search */
  path: string
  /** of the tab */
  title: string
}

const MOST = 20
const keyOf = (user: string) => `heddle.recent.${user}`

/** The newest first. Pure. */
export function withVisit(visits: readonly Visited[], visit: Visited): Visited[] {
  const bare = ({ path }: Visited) => path.split('?')[0]
  return [visit, ...visits.filter((one) => bare(one) !== bare(visit))].slice(0, MOST)
}

/** The newest first. */
export function visitsOf(user: string): Visited[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isVisit) : []
  } catch {
    return []
  }
}

export function keepVisit(user: string, visit: Visited): void {
  localStorage.setItem(keyOf(user), JSON.stringify(withVisit(visitsOf(user), visit)))
}

export const forgetVisits = (user: string): void => localStorage.removeItem(keyOf(user))

function isVisit(value: unknown): value is Visited {
  const { path, title } = (value ?? {}) as Partial<Visited>
  // A path of another site would begin with two slashes.
  return typeof path === 'string' && /^\/(?!\/)/.test(path) && typeof title === 'string'
}
