/** What a job is trained on: a conversation, two answers to one prompt, or a group of answers with their rewards. */
import { short } from '../../../curves'
import type { Call } from '../../api/client'
import { JsonTree } from '../../ui/json-tree'
import { Conversation } from '../trace/conversation'
import { messagesOf } from '../trace/messages'
import '../trace/trace.css'

interface Trajectory {
  reward?: number
  messages_and_choices?: unknown[]
}

export function Sample({ value }: { value: Record<string, unknown> }) {
  if (Array.isArray(value.messages)) return <Chat messages={value.messages} />
  const { prompt, chosen, rejected } = value
  if (Array.isArray(prompt) && Array.isArray(chosen) && Array.isArray(rejected))
    return <Pair prompt={prompt} chosen={chosen} rejected={rejected} />
  if (!Array.isArray(value.trajectories)) return <JsonTree value={value} />
  const group = (value.trajectories as Trajectory[]).toSorted((a, b) => (b.reward ?? 0) - (a.reward ?? 0))
  return group.map(({ reward = 0, messages_and_choices: items = [] }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a trajectory is its place
    <details key={i} open={i === 0}>
      <summary>
        Reward <strong>{short(reward)}</strong>
      </summary>
      <Chat messages={items.map(messageIn)} />
    </details>
  ))
}

function Pair({ prompt, ...answers }: Record<'prompt' | 'chosen' | 'rejected', unknown[]>) {
  return (
    <>
      <Chat messages={prompt} />
      {(['chosen', 'rejected'] as const).map((name) => (
        <section key={name} aria-label={`The ${name} answer`}>
          <h3>{name}</h3>
          <Chat messages={answers[name]} />
        </section>
      ))}
    </>
  )
}

/** A choice holds the message that the model made. */
function messageIn(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'message' in item ? item.message : item
}

function Chat({ messages }: { messages: unknown[] }) {
  const found = messagesOf({ inputs: { messages } as Call['inputs'], output: null })
  return found.length === 0 ? <JsonTree value={messages} /> : <Conversation messages={found} />
}
