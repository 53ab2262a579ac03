/** The end users of the observed application, with what the calls for them add up to. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { type EndUser, endUsersQuery } from '../../api/end-users'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { count, counted } from '../../ui/format'
import { RangeSelect } from '../../ui/ranges'
import { Scores } from '../../ui/scores'
import { SearchInput } from '../../ui/search-input'
import { useSettled } from '../../ui/settled'
import { Since } from '../../ui/since'
import { SortSelect } from '../../ui/sort-select'
import { Empty } from '../../ui/states'
import { type Column, costColumn, errorsColumn, TableOf, timeColumn, tokensColumn } from '../../ui/table'
import { EndUserLink } from '../threads/columns'
import './end-users.css'
import { ANY_TIME, type EndUsersSearch, requestOf, SORTS, USUAL_RANGE } from './search'

export function EndUsers() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/end-users' })
  const { q = '', sort = 'last_seen', range = USUAL_RANGE } = search
  const navigate = useNavigate()
  const find = useRef<HTMLInputElement>(null)
  const change = (more: EndUsersSearch) =>
    void navigate({ to: '.', search: { ...search, ...more }, replace: true })
  useShortcuts([{ keys: '/', what: 'Find an end user', run: () => find.current?.focus() }])
  const settled = useSettled(q)
  const query = useInfiniteQuery(
    endUsersQuery(project.id, { ...search, q: settled }, (one) => requestOf(one, Date.now())),
  )
  return (
    <div className="page">
      <div className="page-head">
        <h1>End users</h1>
        <SearchInput
          ref={find}
          label="Find an end user"
          text={q}
          setText={(text) => change({ q: text || undefined })}
        />
        <RangeSelect
          any
          range={range === ANY_TIME ? '' : range}
          choose={(one) => change({ range: one === USUAL_RANGE ? undefined : one || ANY_TIME })}
        />
        <SortSelect sorts={SORTS} sort={sort} choose={(sort) => change({ sort })} />
        {query.data && (
          <span className="muted" role="status">
            {counted(query.data.pages[0]!.total_count, 'end user')}
          </span>
        )}
        <Since at={query.data?.pages[0]?.since} />
      </div>
      <div className="page-body" tabIndex={0}>
        <TableOf
          query={query}
          rows={query.data?.pages.flatMap(({ end_users: users }) => users)}
          keyOf={({ end_user: user }) => user}
          columns={COLUMNS}
          empty={
            q === '' && (range === USUAL_RANGE || range === ANY_TIME) ? (
              <Empty title={`No call${range === ANY_TIME ? '' : ' of the last 30 days'} names an end user`}>
                <p>
                  These are the people whom your application serves. Name them on its calls:{' '}
                  <code>{'with weave.attributes({"user_id": "…"}):'}</code>, or the attribute{' '}
                  <code>user.id</code> of spans.
                </p>
              </Empty>
            ) : (
              <Empty title="No end user matches" />
            )
          }
        />
      </div>
    </div>
  )
}

const COLUMNS: readonly Column<EndUser>[] = [
  {
    title: 'End user',
    className: 'end-users-name',
    cell: ({ end_user: user }) => <EndUserLink user={user} />,
  },
  { title: 'Threads', isNumber: true, isWide: true, cell: ({ thread_count: threads }) => count(threads) },
  { title: 'Calls', isNumber: true, cell: ({ call_count: calls }) => count(calls) },
  errorsColumn,
  { ...tokensColumn<EndUser>(({ total_tokens: tokens }) => tokens), isWide: true },
  { ...costColumn<EndUser>(({ total_cost: cost }) => cost), isWide: true },
  { title: 'Scores', isWide: true, cell: (user) => <Scores {...user} /> },
  timeColumn('First seen', ({ first_seen: at }) => at, { isWide: true }),
  timeColumn('Last seen', ({ last_seen: at }) => at),
]
