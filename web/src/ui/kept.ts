/** Choices of the user that this browser keeps: theme, time zone, columns. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  // One for all, added once: a long table has a component that follows in each row.
  window.addEventListener('storage', tell)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The text kept under `heddle.<name>`, and how to change it. Every component that shows it follows. */
export function useKept(name: string, initial: string): [string, (value: string) => void] {
  const key = `heddle.${name}`
  const value = useSyncExternalStore(subscribe, () => localStorage.getItem(key) ?? initial)
  return [
    value,
    (next) => {
      localStorage.setItem(key, next)
      tell()
    },
  ]
}
