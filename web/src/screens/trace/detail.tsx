/** One call: what went in and came out, why it failed, what it cost, what people say of it. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { firstTokenOf, latencyOf, nameOf, opOf, statusOf } from '../../api/calls'
import type { Call } from '../../api/client'
import { useRefs } from '../../api/refs'
import { useVisit } from '../../api/visit'
import { weavePath } from '../../app/address'
import { Copy } from '../../ui/copy'
import { count, duration, money } from '../../ui/format'
import { JsonTree } from '../../ui/json-tree'
import { Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { Content } from './content'
import { Conversation } from './conversation'
import { type Cut, isCut } from './cut'
import { callQuery } from './data'
import { Exception } from './exception'
import { Feedback } from './feedback'
import { readCut } from './large'
import { MediaList } from './media-list'
import { messagesOf } from './messages'
import { ModelSetup } from './model-setup'
import { Op } from './op'
import { TABS, type Tab } from './search'
import { setupOf } from './setup'

const read = (cut: unknown) => readCut(cut as Cut)

interface DetailProps {
  project: string
  callId: string
  chosen: Tab
  setChosen: (tab: Tab) => void
}

export function Detail({ project, callId, chosen, setChosen }: DetailProps) {
  const { data: call, error, refetch } = useQuery(callQuery(project, callId))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (call === undefined) return <Loading />
  return (
    <CallDetail {...{ call, chosen, setChosen }} feedback={<Feedback project={project} callId={callId} />} />
  )
}

/** What a call shows. @param props.feedback what is below that tab */
export function CallDetail({
  call,
  chosen,
  setChosen,
  feedback,
}: {
  call: Call
  chosen: Tab
  setChosen: (tab: Tab) => void
  feedback: ReactNode
}) {
  const { project_id: project, id: callId } = call
  const content = useMemo(() => [call.inputs, call.output], [call])
  const refs = useRefs(content)
  const messages = useMemo(() => messagesOf(call, refs), [call, refs])
  const setup = useMemo(() => setupOf(call, refs), [call, refs])
  const visit = useVisit()
  // Code is an object of its own, which links don't show.
  const op = visit ? undefined : opOf(call)
  const tabs = (Object.entries(TABS) as [Tab, string][]).filter(
    ([one]) => (one !== 'chat' || messages.length > 0) && (one !== 'code' || op !== undefined),
  )
  const tab = tabs.some(([one]) => one === chosen) ? chosen : 'data'
  return (
    <section className="detail" aria-label="The call">
      <Facts call={call} isChat={messages.length > 0} />
      <Tabs tabs={tabs} chosen={tab} choose={setChosen} />
      {/* One node per call and tab, so that nothing of the last one stays open. */}
      <div className="detail-body" key={`${callId} ${tab}`} role="tabpanel" tabIndex={0}>
        {call.exception && (tab === 'chat' || tab === 'data') && <Exception text={call.exception} />}
        {(tab === 'chat' || tab === 'data') && (
          <MediaList project={project} value={content} isChat={tab === 'chat'} />
        )}
        {tab === 'chat' && (
          <>
            <ModelSetup {...setup} />
            <Conversation messages={messages} tools={setup.tools} />
          </>
        )}
        {tab === 'data' && (
          <>
            <Part title="Input" value={call.inputs} />
            <Part title="Output" value={call.output} />
          </>
        )}
        {tab === 'attributes' && (
          <>
            <Part title="Attributes" value={call.attributes} />
            <Part title="Summary" value={call.summary} />
          </>
        )}
        {tab === 'code' && <Op {...op!} />}
        {tab === 'feedback' && feedback}
        {tab === 'raw' && <JsonTree value={call} isCut={isCut} read={read} />}
      </div>
    </section>
  )
}

function Part({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) return null
  return (
    <div className="detail-part">
      <h3>{title}</h3>
      <Content value={value} isCut={isCut} read={read} isRaw />
    </div>
  )
}

/** What the tokens of a model cost, and for how much each. */
interface Price {
  prompt_tokens_total_cost?: number
  completion_tokens_total_cost?: number
  cache_read_input_tokens_total_cost?: number
  cache_creation_input_tokens_total_cost?: number
  prompt_token_cost?: number
  completion_token_cost?: number
  llm_id?: string
}

const costOf = (price: Price): number =>
  (price.prompt_tokens_total_cost ?? 0) +
  (price.completion_tokens_total_cost ?? 0) +
  (price.cache_read_input_tokens_total_cost ?? 0) +
  (price.cache_creation_input_tokens_total_cost ?? 0)

/** Where and by what it was made. */
function labelsOf({
  environment,
  release,
  version,
  prompt_name: prompt,
  prompt_version: of,
}: Call): string[] {
  return [
    ...(environment ? [environment] : []),
    ...(release ? [`release ${release}`] : []),
    ...(version ? [`version ${version}`] : []),
    ...(prompt ? [`prompt ${prompt}${of ? ` ${of}` : ''}`] : []),
  ]
}

/** What the sender says that it cost, in dollars. */
function statedCost({ input_cost: input, output_cost: output, total_cost: total }: Record<string, number>) {
  if (total !== undefined) return total
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0)
}

const perMillion = (cost: number | undefined): string => money((cost ?? 0) * 1e6)

function Facts({ call, isChat }: { call: Call; isChat: boolean }) {
  const status = statusOf(call)
  const { usage = {}, weave = {} } = (call.summary ?? {}) as {
    usage?: Record<string, Record<string, number>>
    weave?: { costs?: Record<string, Price> }
  }
  const costs = weave.costs ?? {}
  const firstToken = firstTokenOf(call)
  const visit = useVisit()
  return (
    <header className="detail-head">
      <div className="row">
        <h2 className="cut grow">{nameOf(call)}</h2>
        {isChat && !visit && (
          <Link className="button" to={weavePath(call.project_id, 'playground')} search={{ call: call.id }}>
            Try again with…
          </Link>
        )}
        <Copy text={call.id} label="Copy the id" />
        <Copy text={() => location.href} label="Copy the link" icon="link" />
      </div>
      <div className="row detail-facts">
        <span className={status === 'error' ? 'chip bad' : 'chip'}>
          {status === 'success' ? 'ok' : status}
        </span>
        {call.ended_at && <span>{duration(latencyOf(call))}</span>}
        {firstToken !== undefined && <span>first token after {duration(firstToken)}</span>}
        <Time at={call.started_at} millis />
        {labelsOf(call).map((label) => (
          <span key={label} className="chip" title={label}>
            {label}
          </span>
        ))}
        {call.thread_id && !visit && (
          <Link
            className="chip"
            to={weavePath(call.project_id, 'threads', call.thread_id)}
            title={call.thread_id}
          >
            thread {call.thread_id}
          </Link>
        )}
      </div>
      {Object.entries(usage).map(([model, tokens]) => {
        const price = costs[model]
        const stated = statedCost(tokens)
        const [input = 0, output = 0] = [
          tokens.prompt_tokens ?? tokens.input_tokens,
          tokens.completion_tokens ?? tokens.output_tokens,
        ]
        return (
          <div key={model} className="row detail-facts">
            <span className="chip accent" title={model}>
              {model}
            </span>
            <span>
              {count(input)} in, {count(output)} out
            </span>
            {price && (
              <>
                <span>{money(costOf(price))}</span>
                <span className="muted">
                  at {perMillion(price.prompt_token_cost)} in, {perMillion(price.completion_token_cost)} out
                  for a million
                  {price.llm_id !== undefined && price.llm_id !== model && ` (the price of ${price.llm_id})`}
                </span>
              </>
            )}
            {stated !== undefined && <span className="muted">{money(stated)}, says its sender</span>}
          </div>
        )
      })}
    </header>
  )
}
