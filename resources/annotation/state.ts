/** Which moves an annotator's progress on an item may make. Pure. */
import type { AnnotationState } from '../../contract/annotation.js'

const MOVES: Record<AnnotationState, readonly AnnotationState[]> = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['in_progress', 'completed', 'skipped'],
  completed: ['completed'],
  skipped: ['skipped'],
}

/** The state of this name, if an annotator may go there from `from`; each may stay where it is, but `unstarted`. */
export function reached(from: AnnotationState, name: string): AnnotationState | undefined {
  return MOVES[from].find((state) => state === name)
}
