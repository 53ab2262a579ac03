/** What a project saved under a name: datasets, prompts, models, and any other object. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { objectsQuery } from '../../api/objects'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button, NextPage } from '../../ui/button'
import { count } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import { ImportRows } from './import-rows'
import { TYPES, typeOf } from './kinds'
import './objects.css'
import { pathOf } from './path'
import type { ObjectsSearch } from './search'

export const Objects = () => <List />
export const Datasets = () => <List only="Dataset" />

function List({ only }: { only?: string }) {
  const project = useProject()
  const { type: given = '', q = '' } = useSearch({ strict: false }) as ObjectsSearch
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
  const { data, error, refetch } = query
  const all = data?.pages.flat()
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
        {error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : shown === undefined ? (
          <Loading />
        ) : shown.length === 0 ? (
          <Empty title={all?.length ? 'Nothing has this name' : `No ${only?.toLowerCase() ?? 'object'} yet`}>
            <p>
              A client saves one with <code>weave.publish(value, "name")</code>.
            </p>
          </Empty>
        ) : (
          <table className="table objects-table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Type</th>
                <th>Latest</th>
                <th>Tags</th>
                <th>Saved</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((object) => (
                <tr key={`${object.kind} ${object.object_id}`}>
                  <td>
                    <Link to={pathOf(object) as string} className="objects-name">
                      {object.object_id}
                    </Link>
                  </td>
                  <td>
                    <span className="chip">{typeOf(object)}</span>
                    {object.leaf_object_class !== null &&
                      object.leaf_object_class !== object.base_object_class && (
                        <span className="muted"> {object.leaf_object_class}</span>
                      )}
                  </td>
                  <td>
                    v{object.version_index} <code className="muted">{object.digest.slice(0, 8)}</code>
                  </td>
                  <td>
                    {[...(object.aliases ?? []), ...(object.tags ?? [])]
                      .filter((tag) => tag !== 'latest')
                      .map((tag) => (
                        <span key={tag} className="chip accent">
                          {tag}
                        </span>
                      ))}
                  </td>
                  <td className="muted">
                    <Time at={object.created_at} relative />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <NextPage of={query}>Older ones</NextPage>
      </div>
    </div>
  )
}
