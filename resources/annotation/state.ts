/** Which moves an annotator's progress on an item may make. Pure; knows nothing of storage. */
import type { AnnotationState } from '../../contract/annotation.js'

const MOVES: Record<AnnotationState, readonly AnnotationState[]> = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['in_progress', 'completed', 'skipped'],
  completed: ['completed'],
  skipped: ['skipped'],
}

/** `move`: write it; `stay`: it is so already; `refuse`: no annotator may do this. */
export function decide(from: AnnotationState, to: string): 'move' | 'stay' | 'refuse' {
  if (!(MOVES[from] as readonly string[]).includes(to)) return 'refuse'
  return from === to ? 'stay' : 'move'
}
