/** Rules of a project: the list, the form, and what they did. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Rule, rulesQuery } from '../../api/rules'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { Empty, Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import '../alerts/alerts.css'
import { type Draft, FIRST_EXAMPLE, NEW } from './draft'
import { Editor } from './editor'
import { List } from './list'
import { draftOf } from './saved'
import './rules.css'
import { Runs } from './runs'
import type { RulesSearch } from './search'

const TABS = [
  ['list', 'Rules'],
  ['runs', 'Runs'],
] as const

export function Rules() {
  const { id: project } = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/rules' })
  const navigate = useNavigate()
  const query = useQuery(rulesQuery(project))
  // Whatever is undefined leaves the address.
  const go = (next: RulesSearch) => void navigate({ to: '.', search: JSON.parse(JSON.stringify(next)) })
  const { tab = 'list', form } = search
  if (form !== undefined)
    return (
      <div className="page">
        <div className="page-head">
          <Link to={weavePath(project, 'rules')}>Rules</Link>
          <span className="muted">/</span>
          <h1>{form === 'edit' ? search.rule : 'New rule'}</h1>
        </div>
        <div className="page-body" tabIndex={0}>
          <Form {...{ project, search, query }} done={() => go({})} />
        </div>
      </div>
    )
  return (
    <div className="page">
      <div className="page-head">
        <h1>Rules</h1>
      </div>
      <Tabs tabs={TABS} chosen={tab} choose={(next) => go({ ...(next === 'runs' && { tab: next }) })} />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {tab === 'list' && <List {...{ project, query, go }} />}
        {tab === 'runs' && (
          <Runs {...{ project, search, go }} rules={(query.data ?? []).map(({ name }) => name)} />
        )}
      </div>
    </div>
  )
}

interface FormProps {
  project: string
  search: RulesSearch
  query: { data: Rule[] | undefined; error: Error | null; refetch: () => unknown }
  done: () => void
}

function Form({ project, search: { form, rule = '' }, query, done }: FormProps) {
  const isNew = form !== 'edit'
  const editor = (begin: Draft) => <Editor key={`${form} ${rule}`} {...{ project, begin, isNew, done }} />
  if (form === 'new') return editor(NEW)
  if (form === 'example') return editor(FIRST_EXAMPLE)
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return <Loading />
  const found = query.data.find(({ name }) => name === rule)?.definition
  if (!found) return <Empty title={`There is no rule ${rule}`} />
  return editor(draftOf(project, isNew ? `${rule.slice(0, 115)}-copy` : rule, found))
}
