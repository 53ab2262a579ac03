/** The reference of the interface, and the guides, beside a list of either: for anybody, signed in or not. */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useRef, useState } from 'react'
import { type ApiDocument, openApiQuery } from '../../api/open-api'
import { useShortcuts } from '../../app/keys'
import { useTitleOf } from '../../app/title'
import { SearchInput } from '../../ui/search-input'
import { Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import './docs.css'
import { Guide } from './guide'
import { guides } from './guides'
import { Method, Reference } from './reference'
import { groupsOf, hasWords } from './schema'

const FIRST = 'frameworks/README'

export function Docs() {
  const { page } = useSearch({ from: '/open/docs' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(openApiQuery)
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const typed = useDeferredValue(text.trim())
  useShortcuts([{ keys: '/', what: 'Search the documentation', run: () => field.current?.focus() }])
  useTitleOf(page === undefined ? 'API' : (guides.find(({ path }) => path === page)?.title ?? page))
  const tab = page === undefined ? 'reference' : 'guides'
  return (
    <div className="docs">
      <nav className="docs-side" aria-label="Documentation">
        <Tabs
          tabs={[
            ['reference', 'API'],
            ['guides', 'Guides'],
          ]}
          chosen={tab}
          choose={(to) => void navigate({ to: '/docs', search: to === 'guides' ? { page: FIRST } : {} })}
        />
        <SearchInput
          ref={field}
          label={tab === 'guides' ? 'Search titles of guides' : 'Search routes'}
          placeholder="Search ( / )"
          text={text}
          setText={setText}
        />
        {tab === 'guides' ? <GuideList typed={typed} /> : data && <RouteList of={data} typed={typed} />}
      </nav>
      <div className="docs-body">
        {page !== undefined ? (
          <Guide key={page} page={page} />
        ) : error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Loading />
        ) : (
          <Reference of={data} typed={typed} />
        )}
      </div>
    </div>
  )
}

function GuideList({ typed }: { typed: string }) {
  const found = guides.filter(({ title, group }) => hasWords(`${title} ${group}`.toLowerCase(), typed))
  return (
    <div className="docs-list">
      {[...new Set(found.map(({ group }) => group))].map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          {found
            .filter((one) => one.group === group)
            .map(({ path, title }) => (
              <Link key={path} to="/docs" search={{ page: path }} activeOptions={{ exact: true }}>
                {title}
              </Link>
            ))}
        </section>
      ))}
    </div>
  )
}

function RouteList({ of, typed }: { of: ApiDocument; typed: string }) {
  const { hash } = useLocation()
  return (
    <div className="docs-list">
      {groupsOf(of, typed).map(([tag, routes]) => (
        <section key={tag}>
          <h2>{tag}</h2>
          {routes.map(({ method, path, operation: { operationId: id, summary } }) => (
            <a key={id} href={`#${id}`} title={summary} {...(hash === id && { 'aria-current': 'true' })}>
              <Method of={method} />
              <span className="cut">{path}</span>
            </a>
          ))}
        </section>
      ))}
    </div>
  )
}
