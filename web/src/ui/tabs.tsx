/** A row of tabs. The caller shows the panel. */

export function Tabs<Name extends string | number>({
  tabs,
  chosen,
  choose,
}: {
  tabs: readonly (readonly [name: Name, title: string])[]
  chosen: Name
  choose: (tab: Name) => void
}) {
  return (
    <div className="tabs" role="tablist">
      {tabs.map(([name, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          onClick={() => choose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}
