/** What a job is trained on: a conversation, an answer that is good or bad, two answers, or a group of them with rewards. */
import { short } from '../../../curves'
import { Content } from '../trace/content'

interface Trajectory {
  reward?: number | null
  messages_and_choices?: unknown[]
}

export function Sample({ value }: { value: Record<string, unknown> }) {
  if (Array.isArray(value.messages)) return <Content value={value.messages} />
  const { prompt, chosen, rejected, completion, label } = value
  if (Array.isArray(prompt) && Array.isArray(chosen) && Array.isArray(rejected))
    return <Answers prompt={prompt} answers={{ chosen, rejected }} />
  if (Array.isArray(prompt) && Array.isArray(completion))
    return <Answers prompt={prompt} answers={{ [label === true ? 'good' : 'bad']: completion }} />
  if (!Array.isArray(value.trajectories)) return <Content value={value} />
  const group = (value.trajectories as Trajectory[]).toSorted((a, b) => (b.reward ?? 0) - (a.reward ?? 0))
  return group.map(({ reward, messages_and_choices: items = [] }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a trajectory is its place
    <details key={i} open={i === 0}>
      <summary>
        Reward <strong>{typeof reward === 'number' ? short(reward) : 'none'}</strong>
      </summary>
      <Content value={items.map(messageIn)} />
    </details>
  ))
}

function Answers({ prompt, answers }: { prompt: unknown[]; answers: Record<string, unknown[]> }) {
  return (
    <>
      <Content value={prompt} />
      {Object.entries(answers).map(([name, messages]) => (
        <section key={name} aria-label={`The ${name} answer`}>
          <h3>{name}</h3>
          <Content value={messages} />
        </section>
      ))}
    </>
  )
}

/** A choice holds the message that the model made. */
function messageIn(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'message' in item ? item.message : item
}
