/** The prompts of a project: those that were saved, and those that only calls name. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Obj, objectsQuery } from '../../api/objects'
import { type PromptUse, promptUsesQuery, USES_DAYS } from '../../api/prompts'
import { useMay } from '../../api/session'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { count, duration, share } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { SortSelect } from '../../ui/sort-select'
import { Empty } from '../../ui/states'
import { type Column, costColumn, TableOf, timeColumn } from '../../ui/table'
import { LabelChips } from '../objects/label-chips'
import '../objects/objects.css'
import { DAYS, type PromptsSearch, SORTS, sorted } from './search'

export interface Row {
  name: string
  object?: Obj
  use?: PromptUse
}

export function Prompts() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/prompts' })
  const { q = '', sort = 'cost', days = USES_DAYS } = search
  const navigate = useNavigate()
  const mayMake = useMay('write', project.id, 'Objects')
  const change = (more: PromptsSearch) =>
    void navigate({ to: '.', search: { ...search, ...more }, replace: true })
  const saved = useInfiniteQuery(objectsQuery(project.id, 'Prompt'))
  // Without it the list is shown all the same.
  const { data: uses, error: unknownUses } = useQuery(promptUsesQuery(project.id, days))
  const objects = saved.data?.pages.flat()
  const rows = objects && sorted(rowsOf(objects, uses ?? []), sort)
  const shown = rows?.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  return (
    <div className="page">
      <div className="page-head">
        <h1>Prompts</h1>
        <SearchInput label="Find by name" text={q} setText={(text) => change({ q: text || undefined })} />
        <select
          className="select"
          aria-label="Uses of"
          value={days}
          onChange={({ target }) => change({ days: Number(target.value) })}
        >
          {DAYS.map((one) => (
            <option key={one} value={one}>
              the last {one === 1 ? 'day' : `${one} days`}
            </option>
          ))}
        </select>
        <SortSelect sorts={SORTS} sort={sort} choose={(sort) => change({ sort })} />
        {shown && <span className="muted">{count(shown.length)} shown</span>}
        {unknownUses && (
          <span className="bad" role="alert">
            {unknownUses.message}
          </span>
        )}
        <span className="grow" />
        {mayMake && (
          <Button icon="plus" onClick={() => void navigate({ to: weavePath(project.id, 'playground') })}>
            New prompt
          </Button>
        )}
      </div>
      <div className="page-body" tabIndex={0}>
        <TableOf
          query={saved}
          rows={shown}
          keyOf={({ name }) => name}
          columns={columnsOf(project.id, days)}
          more="Older ones"
          empty={
            <Empty title={rows?.length ? 'No prompt has this name' : 'No prompt yet'}>
              <p>
                Save one from the <Link to={weavePath(project.id, 'playground')}>playground</Link>, or by{' '}
                <code>weave.publish(weave.StringPrompt("…"), "name")</code>.
              </p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}

/** Saved prompts, each with its uses, and behind them those that calls name and nobody saved. */
function rowsOf(objects: readonly Obj[], uses: readonly PromptUse[]): Row[] {
  const byName = new Map(uses.map((use) => [use.name, use]))
  const ours = objects.map((object): Row => {
    const use = byName.get(object.object_id)
    return { name: object.object_id, object, ...(use && { use }) }
  })
  const names = new Set(ours.map(({ name }) => name))
  return [...ours, ...uses.filter(({ name }) => !names.has(name)).map((use) => ({ name: use.name, use }))]
}

const columnsOf = (project: string, days: number): Column<Row>[] => [
  {
    title: 'Name',
    cell: ({ name, object }) =>
      object ? (
        <Link to={weavePath(project, 'objects', name)} className="objects-name">
          {name}
        </Link>
      ) : (
        <>
          {name} <span className="muted">not saved here</span>
        </>
      ),
  },
  { title: 'Latest', cell: ({ object }) => object && `v${object.version_index}` },
  { title: 'Labels', isWide: true, cell: ({ object }) => object && <LabelChips object={object} /> },
  {
    title: 'Calls',
    isNumber: true,
    cell: ({ name, use }) =>
      use && (
        <Link to={weavePath(project, 'traces')} search={callsSearch(name, undefined, days)}>
          {count(use.calls)}
        </Link>
      ),
  },
  {
    title: 'Errors',
    isNumber: true,
    isBad: ({ use }) => use !== undefined && use.errors > 0,
    cell: ({ use }) => use && share(use.errors / use.calls),
  },
  {
    title: 'Latency p95',
    isNumber: true,
    isWide: true,
    cell: ({ use }) => use && use.p95 !== null && duration(use.p95),
  },
  { ...costColumn<Row>(({ use }) => use?.cost), isWide: true },
  timeColumn('Last used', ({ use }) => use?.last_used),
]

/** The traces table with the calls that were made with a prompt. */
export function callsSearch(
  name: string,
  version?: string,
  days: number = USES_DAYS,
): Record<string, unknown> {
  const term = (field: string, value: string) => `${field}:${JSON.stringify(value)}`
  const terms = [term('prompt', name), ...(version === undefined ? [] : [term('prompt_version', version)])]
  return { q: terms.join(' '), all: true, range: `${days}d` }
}
