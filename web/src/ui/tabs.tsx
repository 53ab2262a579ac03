/** A row of tabs: one stop of the Tab key, arrow keys within. The caller shows the panel. */
import type { KeyboardEvent } from 'react'

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
    <div className="tabs" role="tablist" onKeyDown={move}>
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
