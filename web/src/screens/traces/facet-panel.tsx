/** Beside the list: which values the calls that match have, and how many have each, to choose from. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { IconButton } from '../../ui/button'
import { count } from '../../ui/format'
import { Icon } from '../../ui/icons'
import { Failed } from '../../ui/states'
import { facetsQuery } from './data'
import { FacetRanges } from './facet-ranges'
import { choiceOf, FACETS, type FacetValue, limitsOf, toggled, withChoice, withLimits } from './facets'
import { type Facet, useScores } from './scores'
import { facetIdsOf, type TracesSearch } from './search'
import './facets.css'

interface Props {
  project: string
  /** its filter is one */
  search: TracesSearch
  now: number
  /** false: the rows come first */
  isReady: boolean
  change: (next: { q?: string | undefined; facets?: string | undefined }) => void
}

type Answer = Awaited<ReturnType<NonNullable<ReturnType<typeof facetsQuery>['queryFn']>>>
type Found = Answer['facets'][number]

const OF_LIST: readonly Facet[] = FACETS.map(({ id, title, type, path, facet }) => ({
  ...{ id, title, type, path, kind: facet ?? 'values' },
}))

export function FacetPanel({ project, search, now, isReady, change }: Props) {
  const open = new Set(facetIdsOf(search))
  const scores = useScores(project, isReady)
  const all = [...OF_LIST, ...scores]
  const shown = all.filter(({ id }) => open.has(id))
  const counted = shown.map(({ path, kind }) => ({ path, kind }))
  const { data, error, refetch, isFetching } = useQuery({
    ...facetsQuery(project, search, now, isReady ? counted : []),
    placeholderData: keepPreviousData,
  })
  const found = new Map(data?.facets.map((one) => [one.field, one]))
  const q = search.q ?? ''
  const write = (text: string) => change({ q: text === '' ? undefined : text })
  const toggle = (id: string) => {
    const next = all.filter((one) => open.has(one.id) !== (one.id === id)).map((one) => one.id)
    // None is open, and still the panel is.
    change({ facets: next.length === 0 ? '-' : next.join(',') })
  }
  return (
    <aside className="facets" aria-label="Facets" aria-busy={isFetching}>
      <div className="row">
        <h2 className="grow">Facets</h2>
        <IconButton icon="close" label="Close the facets" onClick={() => change({ facets: undefined })} />
      </div>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {all.map((facet) => (
        <section key={facet.id}>
          <h3>
            <button
              type="button"
              className="facets-head"
              aria-expanded={open.has(facet.id)}
              onClick={() => toggle(facet.id)}
            >
              <Icon name={open.has(facet.id) ? 'down' : 'right'} />
              <span className="cut">{facet.title}</span>
            </button>
          </h3>
          {open.has(facet.id) &&
            (facet.kind === 'numbers' ? (
              <FacetRanges
                type={facet.type}
                title={facet.title}
                ranges={found.get(facet.path)?.ranges}
                limits={limitsOf(q, facet.path)}
                choose={(limits) => write(withLimits(q, facet.path, limits))}
              />
            ) : (
              <Values facet={facet} found={found.get(facet.path)} q={q} write={write} />
            ))}
        </section>
      ))}
      {data?.is_partial && <p className="muted">Only a million calls were counted.</p>}
    </aside>
  )
}

function Values({
  facet: { path, title },
  found,
  q,
  write,
}: {
  facet: Facet
  found: Found | undefined
  q: string
  write: (text: string) => void
}) {
  const { included, excluded } = choiceOf(q, path)
  if (!found) return <p className="muted">…</p>
  const counts = new Map<FacetValue, number>(found.values.map(({ value, count }) => [value, count]))
  // What is chosen stays in the list, so that it can be taken back.
  const values = [...new Set([...counts.keys(), ...included, ...excluded])]
  if (values.every((value) => value === null)) return <p className="muted">No call has one.</p>
  const choose = (value: FacetValue, which: 'included' | 'excluded') => write(toggled(q, path, value, which))
  const isAny = included.length + excluded.length > 0
  return (
    <>
      <ul className="facets-values">
        {values.map((value) => {
          const name = value ?? 'none'
          const [isIn, isOut] = [included.includes(value), excluded.includes(value)]
          const state = isIn ? 'in' : isOut ? 'out' : ''
          return (
            <li key={JSON.stringify(value)} className={state}>
              <button
                type="button"
                className="facets-value"
                aria-pressed={isIn}
                title={`${name}: click to show only these, with Alt to leave them out`}
                onClick={({ altKey }: MouseEvent) => choose(value, altKey ? 'excluded' : 'included')}
              >
                <span className={value === null ? 'cut muted' : 'cut'}>{name}</span>
                <span className="facets-count">{count(counts.get(value) ?? 0)}</span>
              </button>
              <IconButton
                icon={isOut ? 'plus' : 'minus'}
                label={isOut ? `No longer leave out ${name}` : `Leave out ${name}`}
                aria-pressed={isOut}
                onClick={() => choose(value, 'excluded')}
              />
            </li>
          )
        })}
      </ul>
      {isAny && (
        <button
          type="button"
          className="facets-clear"
          aria-label={`Any ${title}`}
          onClick={() => write(withChoice(q, path, { included: [], excluded: [] }))}
        >
          any
        </button>
      )}
    </>
  )
}
