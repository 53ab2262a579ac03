/** What a list is sorted by. */

interface Props {
  /** what each is called */
  sorts: readonly (readonly [name: string, title: string])[]
  sort: string
  choose: (sort: string) => void
}

export function SortSelect({ sorts, sort, choose }: Props) {
  return (
    <select className="select" aria-label="Sort" value={sort} onChange={({ target }) => choose(target.value)}>
      {sorts.map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  )
}
