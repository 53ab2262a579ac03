/** The draft that this browser keeps for each project, so that a reload loses nothing. */
import { type Draft, EMPTY } from './draft'

const nameOf = (project: string) => `heddle.playground.${project}`

export function keptDraft(project: string): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(localStorage.getItem(nameOf(project)) ?? '{}') as Partial<Draft>) }
  } catch {
    return EMPTY
  }
}

/** A draft that is too large for the browser is kept by the page alone. */
export function keepDraft(project: string, draft: Draft): void {
  try {
    localStorage.setItem(nameOf(project), JSON.stringify(draft))
  } catch {
    localStorage.removeItem(nameOf(project))
  }
}
