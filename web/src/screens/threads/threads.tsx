/** The conversations of a project. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { threadsQuery } from '../../api/threads'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { counted } from '../../ui/format'
import { RangeSelect } from '../../ui/ranges'
import { SearchInput } from '../../ui/search-input'
import { useSettled } from '../../ui/settled'
import { Since } from '../../ui/since'
import { SortSelect } from '../../ui/sort-select'
import { Empty } from '../../ui/states'
import { TableOf } from '../../ui/table'
import { COLUMNS } from './columns'
import { requestOf, SORTS, type ThreadsSearch } from './search'
import './threads.css'

export function Threads() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/threads' })
  const { q = '', sort = 'last_updated', user, failed, range = '' } = search
  const navigate = useNavigate()
  const find = useRef<HTMLInputElement>(null)
  const change = (more: ThreadsSearch) =>
    void navigate({ to: '.', search: { ...search, ...more }, replace: true })
  useShortcuts([{ keys: '/', what: 'Find a thread', run: () => find.current?.focus() }])
  const settled = useSettled(q)
  const query = useInfiniteQuery(
    threadsQuery(project.id, { ...search, q: settled }, (one) => requestOf(one, Date.now())),
  )
  const isAny = q === '' && user === undefined && !failed && range === ''
  return (
    <div className="page">
      <div className="page-head">
        <h1>Threads</h1>
        <SearchInput
          ref={find}
          label="Find by what was said"
          text={q}
          setText={(text) => change({ q: text || undefined })}
        />
        <RangeSelect any range={range} choose={(one) => change({ range: one || undefined })} />
        <label className="check">
          <input
            type="checkbox"
            checked={failed === true}
            onChange={({ target }) => change({ failed: target.checked || undefined })}
          />
          With errors
        </label>
        <SortSelect sorts={SORTS} sort={sort} choose={(sort) => change({ sort })} />
        {user !== undefined && (
          <Button
            icon="close"
            onClick={() => change({ user: undefined })}
            aria-label={`Of any end user, not only ${user}`}
          >
            {user}
          </Button>
        )}
        {query.data && (
          <span className="muted" role="status">
            {counted(query.data.pages[0]!.total_count, 'thread')}
          </span>
        )}
        <Since at={query.data?.pages[0]?.since} />
      </div>
      <div className="page-body" tabIndex={0}>
        <TableOf
          query={query}
          rows={query.data?.pages.flatMap(({ threads }) => threads)}
          keyOf={({ thread_id: id }) => id}
          columns={COLUMNS}
          empty={
            isAny ? (
              <Empty title="No thread yet">
                <p>
                  Calls within <code>with weave.thread("id"):</code> are the turns of a thread, and so are
                  spans with a session or conversation.
                </p>
              </Empty>
            ) : (
              <Empty title="No thread matches">
                <Button
                  onClick={() =>
                    change({ q: undefined, user: undefined, failed: undefined, range: undefined })
                  }
                >
                  Show all threads
                </Button>
              </Empty>
            )
          }
        />
      </div>
    </div>
  )
}
