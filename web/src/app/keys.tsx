/** Keyboard shortcuts: screens name theirs, `?` lists those that work now. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

export interface Shortcut {
  /** `j`, `Escape`, or two in a row: `g t` */
  keys: string
  what: string
  run: (event: KeyboardEvent) => void
}

const CHAIN_MS = 1200
let active: readonly (readonly Shortcut[])[] = []
const listeners = new Set<() => void>()
let before = ''
let beforeAt = 0

function change(next: readonly (readonly Shortcut[])[]): void {
  active = next
  for (const listener of listeners) listener()
}

/** Also within an editor, which is hidden in a shadow root. */
const typedInto = (event: KeyboardEvent): EventTarget | null => event.composedPath()[0] ?? event.target

/** Fields that take no text. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'button', 'submit', 'file'].map((type) => `[type=${type}]`).join()

/** Whether somebody types a text there. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches(`input:not(${WITHOUT_TEXT}), textarea, select`))
  )
}

/** Whether the key is for what has the focus: a link or button is pressed, or a dialog is over the page. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  return key === 'Enter' && target instanceof Element && target.closest('a, button, summary') !== null
}

function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(typedInto(event)))
    return
  if (isTaken(event)) return
  const { key } = event
  const chain = Date.now() - beforeAt < CHAIN_MS ? `${before} ${key}` : key
  // What was named last is nearest to what the user looks at.
  const all = active.toReversed().flat()
  const found = all.find(({ keys }) => keys === chain) ?? all.find(({ keys }) => keys === key)
  before = key
  beforeAt = Date.now()
  if (!found) return
  before = ''
  event.preventDefault()
  found.run(event)
}

/** Makes keys work; once. */
export const listenToKeys = () => document.addEventListener('keydown', press)

/** Makes `shortcuts` work while the component is there, from the moment it is seen: hence a layout effect. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const names = shortcuts.map(({ keys }) => keys).join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are listed anew when their keys change
  useLayoutEffect(() => {
    const mine = latest.current.map(({ keys, what }, i) => ({
      keys,
      what,
      run: (event: KeyboardEvent) => latest.current[i]?.run(event),
    }))
    change([...active, mine])
    return () => change(active.filter((one) => one !== mine))
  }, [names])
}

/** Those that work now. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => active,
  ).flat()
}
