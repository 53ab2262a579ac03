/** A trace, opened at one of its calls: all calls with their times on one side, the call's content on the other. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usageQuery } from '../../api/calls'
import { callPath, weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { lastList } from '../../app/last-list'
import { useProject, useShownId } from '../../app/project'
import { IconButton } from '../../ui/button'
import { Icon } from '../../ui/icons'
import { Failed, Loading } from '../../ui/states'
import { ShareButton } from '../sharing/share-button'
import { CompareWith } from './compare-with'
import { callQuery, factsQuery, neighboursQuery, traceQuery } from './data'
import { Detail } from './detail'
import type { TraceSearch } from './search'
import './trace.css'
import type { Tree } from './tree'
import { TraceView } from './view'

export function Trace() {
  const project = useProject()
  const callId = useShownId()
  const {
    data: call,
    error,
    refetch,
  } = useQuery({ ...callQuery(project.id, callId), placeholderData: (old) => old })
  const {
    data: tree,
    error: treeError,
    refetch: readAgain,
  } = useQuery(traceQuery(project.id, call?.trace_id))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (treeError) return <Failed error={treeError} retry={() => void readAgain()} />
  if (call === undefined || tree === undefined) return <Loading what="Reading the trace" />
  return (
    <Whole
      key={call.trace_id}
      tree={tree}
      project={project.id}
      callId={callId}
      traceId={call.trace_id}
      reload={() => void readAgain()}
    />
  )
}

interface WholeProps {
  tree: Tree
  project: string
  callId: string
  traceId: string
  reload: () => void
}

function Whole({ tree, project, callId, traceId, reload }: WholeProps) {
  const navigate = useNavigate()
  const { view = 'timeline', tab, compare } = useSearch({ from: '/inside/$entity/$project/r/call/$id' })
  const root = tree.spans[0]
  const { data: usage } = useQuery(usageQuery(project, root === undefined ? [] : [root.id]))
  // What is known beside times must not hold up the spans.
  const { data: facts } = useQuery({ ...factsQuery(project, traceId), enabled: !tree.isPart })
  const list = lastList(project)
  const { data: ids = [] } = useQuery({ ...neighboursQuery(project, list), enabled: !tree.isPart })
  const place = useMemo(() => {
    const at = ids.indexOf(callId)
    return at >= 0 || root === undefined ? at : ids.indexOf(root.id)
  }, [ids, callId, root])
  const search = (next: TraceSearch): void =>
    void navigate({ to: '.', search: withoutDefaults(next), replace: true })
  const up = () => void navigate({ to: weavePath(project, 'traces'), search: list })
  const goTo = (at: number) => {
    const id = place < 0 ? undefined : ids[at]
    if (id !== undefined)
      void navigate({ to: callPath(project, id), search: withoutDefaults({ view, tab }), replace: true })
  }
  useShortcuts([
    { keys: 'u', what: 'Back to the traces', run: up },
    { keys: 'J', what: 'Next trace of the list', run: () => goTo(place + 1) },
    { keys: 'K', what: 'Previous trace of the list', run: () => goTo(place - 1) },
  ])
  return (
    <TraceView
      {...{ tree, callId, view, facts, reload }}
      setView={(next) => search({ view: next, tab })}
      searched={{ project, traceId }}
      select={(id) =>
        void navigate({
          to: callPath(project, id),
          search: withoutDefaults({ view, tab }),
          replace: true,
        })
      }
      total={root && usage?.get(root.id)}
      before={
        <>
          <Link
            to={weavePath(project, 'traces')}
            search={list}
            className="button quiet"
            aria-label="Back to the traces"
          >
            <Icon name="left" />
          </Link>
          {place >= 0 && (
            <span className="row trace-neighbours">
              <IconButton
                icon="up"
                label="Previous trace of the list (K)"
                disabled={place === 0}
                onClick={() => goTo(place - 1)}
              />
              <IconButton
                icon="down"
                label="Next trace of the list (J)"
                disabled={place === ids.length - 1}
                onClick={() => goTo(place + 1)}
              />
            </span>
          )}
        </>
      }
      actions={
        <>
          <CompareWith
            project={project}
            callId={callId}
            others={[place > 0 ? ids[place - 1] : undefined, place >= 0 ? ids[place + 1] : undefined]}
            compared={compare}
            compare={(other) => search({ view, tab, ...(other !== undefined && { compare: other }) })}
          />
          <ShareButton project={project} kind="trace" target={traceId} />
        </>
      }
    >
      <Detail
        {...{ project, callId }}
        chosen={tab ?? 'chat'}
        setChosen={(next) => search({ view, tab: next, compare })}
      />
    </TraceView>
  )
}

/** What every address says that says nothing. */
const withoutDefaults = ({ view, tab, compare }: TraceSearch): TraceSearch => ({
  ...(view !== undefined && view !== 'timeline' && { view }),
  ...(tab !== undefined && tab !== 'chat' && { tab }),
  ...(compare !== undefined && { compare }),
})
