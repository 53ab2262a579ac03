/** One object: its versions, the value of one, and how two differ. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type Obj, objectQuery, tableOf, versionsQuery } from '../../api/objects'
import { objectPath, weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject, useShownId } from '../../app/project'
import { Copy, Snippet } from '../../ui/copy'
import { Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { promptMessages } from '../playground/draft'
import { Edit } from '../prompts/edit'
import { Metrics } from '../prompts/metrics'
import { Content } from '../trace/content'
import { Conversation } from '../trace/conversation'
import { messagesOf } from '../trace/messages'
import '../trace/trace.css'
import { Code } from './code'
import { Difference } from './difference'
import { codeOf, promptOf, refOf, snippetOf, typeOf } from './kinds'
import { LabelChips } from './label-chips'
import { Labels } from './labels'
import './objects.css'
import { Rows } from './rows'

export function ObjectPage() {
  const project = useProject()
  const objectId = useShownId()
  const { digest = 'latest' } = useParams({ strict: false })
  const { tab: chosen, against } = useSearch({ from: '/inside/$entity/$project/weave/object' })
  const navigate = useNavigate()
  const { data: versions = [] } = useQuery(versionsQuery(project.id, objectId))
  const {
    data: object,
    error,
    refetch,
  } = useQuery({ ...objectQuery(project.id, objectId, digest), placeholderData: (old) => old })
  const at = versions.findIndex((one) => one.digest === object?.digest)
  const go = (step: number) => {
    const next = at < 0 ? undefined : versions[at + step]
    if (next) void navigate({ to: objectPath(next), search: { tab: chosen } })
  }
  useShortcuts([
    { keys: 'j', what: 'Older version', run: () => go(1) },
    { keys: 'k', what: 'Newer version', run: () => go(-1) },
  ])
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (object === undefined) return <Loading />
  const tabs = tabsOf(object, versions.length > 1)
  const tab = tabs.find(([one]) => one === chosen)?.[0] ?? tabs[0]![0]
  const type = typeOf(object)
  const isDataset = type === 'Dataset'
  const list = LISTS[type] ?? OTHERS
  const earlier = versions[at + 1] ?? versions[at - 1]
  return (
    <div className="page">
      <div className="page-head">
        <Link to={weavePath(project.id, list.path)}>{list.title}</Link>
        <span className="muted">/</span>
        <h1 className="cut">{object.object_id}</h1>
        <span className="chip">{type}</span>
        <span>v{object.version_index}</span>
        <span className="grow" />
        {isDataset && (
          <Link
            className="button"
            to={weavePath(project.id, 'training', 'new')}
            search={{ dataset: object.object_id }}
          >
            Train on it
          </Link>
        )}
        {type === 'Prompt' && (
          <Link
            className="button"
            to={weavePath(project.id, 'playground')}
            search={{ prompt: `${object.object_id}:${object.digest}` }}
          >
            Open in the playground
          </Link>
        )}
        <Labels object={object} />
        <Copy text={refOf(object)} label="Copy the ref" />
      </div>
      <div className="objects-panes">
        <nav className="objects-versions" aria-label="Versions">
          {versions.map((one) => (
            <Link
              key={one.digest}
              to={objectPath(one)}
              search={{ tab: chosen }}
              className={one.digest === object.digest ? 'objects-version current' : 'objects-version'}
              aria-current={one.digest === object.digest}
            >
              <span className="row">
                <strong>v{one.version_index}</strong>
                <code>{one.digest.slice(0, 8)}</code>
                <span className="grow" />
                <Time at={one.created_at} relative />
              </span>
              <span className="objects-tags">
                <LabelChips object={one} withLatest />
              </span>
            </Link>
          ))}
        </nav>
        <section className="objects-value" aria-label="The version">
          <Tabs
            tabs={tabs}
            chosen={tab}
            choose={(one) => void navigate({ to: '.', search: { tab: one, against } })}
          />
          <div className={`objects-body ${tab}`} role="tabpanel" tabIndex={0} key={`${object.digest} ${tab}`}>
            {tab === 'rows' && <Rows object={object} table={tableOf(object.val)!} />}
            {tab === 'code' && <Code object={object} />}
            {tab === 'text' && <PromptText value={object.val} />}
            {tab === 'edit' && <Edit object={object} newest={versions[0]?.digest ?? object.digest} />}
            {tab === 'metrics' && <Metrics object={object} versions={versions} />}
            {tab === 'value' && <Content value={object.val} isRaw />}
            {tab === 'diff' && (
              <Difference
                object={object}
                versions={versions}
                against={against ?? earlier?.digest}
                choose={(other) => void navigate({ to: '.', search: { tab, against: other } })}
              />
            )}
            {tab === 'use' && <Snippet text={snippetOf(refOf(object))} />}
          </div>
        </section>
      </div>
    </div>
  )
}

/** The lists in the navigation that objects of a type are in, and the one that has all others. */
const LISTS: Readonly<Record<string, { path: string; title: string }>> = {
  Dataset: { path: 'datasets', title: 'Datasets' },
  Prompt: { path: 'prompts', title: 'Prompts' },
}
const OTHERS = { path: 'objects', title: 'Objects' }

function PromptText({ value }: { value: unknown }) {
  const text = promptOf(value)
  if (text !== undefined) return <pre className="panel objects-text">{text}</pre>
  const messages = messagesOf({ inputs: value as Record<string, unknown>, output: null })
  return <Conversation messages={messages} isWhole />
}

function tabsOf({ val }: Obj, hasOthers: boolean): [string, string][] {
  const isPrompt = promptMessages(val) !== undefined
  const tabs: [string, string | false][] = [
    ['rows', tableOf(val) !== undefined && 'Rows'],
    ['code', codeOf(val) !== undefined && 'Code'],
    ['text', isPrompt && 'Text'],
    ['metrics', isPrompt && 'Metrics'],
    ['edit', isPrompt && 'Edit'],
    ['value', 'Value'],
    ['diff', hasOthers && 'Compare'],
    ['use', 'Use'],
  ]
  return tabs.filter((tab): tab is [string, string] => tab[1] !== false)
}
