/** Resolves refs inside calls for one caller, in wire form. */

import { refIn } from '../../contract/ref.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import type { Resolve } from '../../domain/refs/expand.js'
import { wireTexts } from '../objects/external-refs.js'
import type { Pointer, RefReader } from './resolve.js'

/** The most refs resolved at once. */
const BATCH = 1000

/** Resolves refs for readers of calls. */
export function resolver(refs: RefReader, register: ProjectRegister): Resolve {
  return async (texts, principal) => {
    const pointers = new Map<string, Pointer>()
    for (const text of texts) {
      const pointer = pointerOf(text)
      if (pointer && principal.may('read', pointer.project)) pointers.set(text, pointer)
    }
    const found = new Map<string, string>()
    const all = [...pointers]
    for (let from = 0; from < all.length; from += BATCH) {
      const batch = all.slice(from, from + BATCH)
      const values = await refs.resolve(
        batch.map(([, pointer]) => pointer),
        principal,
      )
      const internal = values.map((value) => (value.state === 'found' ? value.text : null))
      const wire = await wireTexts(register, internal)
      batch.forEach(([text], i) => {
        const value = wire[i]
        if (value != null) found.set(text, value)
      })
    }
    return found
  }
}

function pointerOf(text: string): Pointer | undefined {
  const ref = refIn(text)
  return ref?.kind === 'object' || ref?.kind === 'op' ? ref : undefined
}
