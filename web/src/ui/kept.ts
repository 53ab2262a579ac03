/** Choices of the user that this browser keeps: theme, time zone, columns. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The text kept under `heddle.<name>`, and how to change it. Every component that shows it follows. */
export function useKept(name: string, initial: string): [string, (value: string) => void] {
  const key = `heddle.${name}`
  const value = useSyncExternalStore(subscribe, () => localStorage.getItem(key) ?? initial)
  return [
    value,
    (next) => {
      localStorage.setItem(key, next)
      for (const listener of listeners) listener()
    },
  ]
}
