/** A row of tabs: one stop of the Tab key, arrow keys within. The caller shows the panel. */
import { type KeyboardEvent, useEffect, useRef } from 'react'

export function Tabs<Name extends string | number>({
  tabs,
  chosen,
  choose,
}: {
  tabs: readonly (readonly [name: Name, title: string])[]
  chosen: Name
  choose: (tab: Name) => void
}) {
  const at = Math.max(
    0,
    tabs.findIndex(([name]) => name === chosen),
  )
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one that was chosen moves into sight
  useEffect(() => {
    const [row, tab] = [list.current, list.current?.querySelector('[aria-selected="true"]')]
    if (!row || !tab) return
    // `scrollIntoView` would move the page, too.
    const [within, one] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
    row.scrollLeft += Math.max(0, one.right - within.right) - Math.max(0, within.left - one.left)
  }, [chosen])
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const last = tabs.length - 1
    const to = {
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowRight: at === last ? 0 : at + 1,
      Home: 0,
      End: last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    choose(tabs[to]![0])
    event.currentTarget.querySelectorAll('button')[to]!.focus()
  }
  return (
    <div ref={list} className="tabs" role="tablist" onKeyDown={move}>
      {tabs.map(([name, title], i) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          tabIndex={i === at ? 0 : -1}
          onClick={() => choose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
