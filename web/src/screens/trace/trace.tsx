/** A trace, opened at one of its calls: all calls with their times on one side, the call's content on the other. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { usageQuery } from '../../api/calls'
import { callPath, weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { lastList } from '../../app/last-list'
import { useProject, useShownId } from '../../app/project'
import { Icon } from '../../ui/icons'
import { Failed, Loading } from '../../ui/states'
import { ShareButton } from '../sharing/share-button'
import { callQuery, traceQuery } from './data'
import { Detail } from './detail'
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

function Whole({
  tree,
  project,
  callId,
  traceId,
  reload,
}: {
  tree: Tree
  project: string
  callId: string
  traceId: string
  reload: () => void
}) {
  const navigate = useNavigate()
  const root = tree.spans[0]
  const { data: usage } = useQuery(usageQuery(project, root === undefined ? [] : [root.id]))
  const up = () => void navigate({ to: weavePath(project, 'traces'), search: lastList(project) as never })
  useShortcuts([{ keys: 'u', what: 'Back to the traces', run: up }])
  return (
    <TraceView
      {...{ tree, callId }}
      select={(id) => void navigate({ to: callPath(project, id), replace: true })}
      total={root && usage?.get(root.id)}
      before={
        <Link
          to={weavePath(project, 'traces')}
          search={lastList(project) as never}
          className="button quiet"
          aria-label="Back to the traces"
        >
          <Icon name="left" />
        </Link>
      }
      actions={<ShareButton project={project} kind="trace" target={traceId} />}
      reload={reload}
    >
      <Detail project={project} callId={callId} />
    </TraceView>
  )
}
