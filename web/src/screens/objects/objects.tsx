/** What a project saved under a name: datasets, prompts, models, and any other object. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type Obj, objectsQuery } from '../../api/objects'
import { objectPath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { count } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty } from '../../ui/states'
import { type Column, TableOf, timeColumn } from '../../ui/table'
import { ImportRows } from './import-rows'
import { TYPES, typeOf } from './kinds'
import { LabelChips } from './label-chips'
import './objects.css'
import type { ObjectsSearch } from './search'

export const Objects = () => <List />
export const Datasets = () => <List only="Dataset" />

function List({ only }: { only?: string }) {
  const project = useProject()
  const { type: given = '', q = '' } = useSearch({ from: '/inside/$entity/$project/weave/objects-of-type' })
  const type = only ?? given
  const navigate = useNavigate()
  const [isImporting, setImporting] = useState(false)
  const find = useRef<HTMLInputElement>(null)
  const change = (more: ObjectsSearch) =>
    void navigate({
      to: '.',
      search: { type: given || undefined, q: q || undefined, ...more },
      replace: true,
    })
  useShortcuts([{ keys: '/', what: 'Search by name', run: () => find.current?.focus() }])
  const query = useInfiniteQuery(objectsQuery(project.id, type))
  const all = query.data?.pages.flat()
  const shown = all?.filter(({ object_id: id }) => id.toLowerCase().includes(q.toLowerCase()))
  return (
    <div className="page">
      <div className="page-head">
        <h1>{only ? `${only}s` : 'Objects'}</h1>
        <SearchInput
          ref={find}
          label="Find by name"
          text={q}
          setText={(text) => change({ q: text || undefined })}
        />
        {only === undefined && (
          <select
            className="select"
            aria-label="Type"
            value={type}
            onChange={(event) => change({ type: event.target.value || undefined })}
          >
            <option value="">All types</option>
            {TYPES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
        {shown && <span className="muted">{count(shown.length)} shown</span>}
        {only === 'Dataset' && (
          <>
            <span className="grow" />
            <Button icon="plus" onClick={() => setImporting(true)}>
              New dataset
            </Button>
            <ImportRows project={project.id} open={isImporting} close={() => setImporting(false)} />
          </>
        )}
      </div>
      <div className="page-body" tabIndex={0}>
        <TableOf
          query={query}
          rows={shown}
          keyOf={({ kind, object_id: id }) => `${kind} ${id}`}
          columns={COLUMNS}
          more="Older ones"
          empty={
            <Empty
              title={all?.length ? 'Nothing has this name' : `No ${(type || 'object').toLowerCase()} yet`}
            >
              <p>
                {only === 'Dataset' && 'Make one from a file or of chosen traces. '}A client saves one with{' '}
                <code>weave.publish(value, "name")</code>.
              </p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}

const COLUMNS: Column<Obj>[] = [
  {
    title: 'Name',
    cell: (object) => (
      <Link to={objectPath(object)} className="objects-name">
        {object.object_id}
      </Link>
    ),
  },
  {
    title: 'Type',
    cell: (object) => {
      const { leaf_object_class: leaf, base_object_class: base } = object
      return (
        <>
          <span className="chip">{typeOf(object)}</span>
          {leaf !== null && leaf !== base && <span className="muted"> {leaf}</span>}
        </>
      )
    },
  },
  {
    title: 'Latest',
    cell: ({ version_index: index, digest }) => (
      <>
        v{index} <code className="muted">{digest.slice(0, 8)}</code>
      </>
    ),
  },
  {
    title: 'Tags',
    isWide: true,
    cell: (object) => <LabelChips object={object} />,
  },
  timeColumn('Saved', ({ created_at: at }) => at),
]
