/** The messages of a call, as a conversation. */
import { JsonTree } from '../../ui/json-tree'
import { Markdown } from '../../ui/markdown'
import type { Message, Part } from './messages'

/** Longer conversations show their end first. */
const SHOWN = 200

export function Conversation({ messages }: { messages: readonly Message[] }) {
  const hidden = Math.max(0, messages.length - SHOWN)
  return (
    <div className="chat">
      {hidden > 0 && <p className="muted">{hidden} earlier messages are under Data</p>}
      {messages.slice(hidden).map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
        <article key={i} className={`chat-message ${message.role}${message.isOutput ? ' output' : ''}`}>
          <h3>{message.role}</h3>
          {message.parts.map((part, j) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <PartOf key={j} part={part} />
          ))}
        </article>
      ))}
    </div>
  )
}

function PartOf({ part }: { part: Part }) {
  switch (part.kind) {
    case 'text':
      return <Markdown text={part.text} />
    case 'reasoning':
      return (
        <details className="chat-reasoning">
          <summary>Reasoning</summary>
          <Markdown text={part.text} />
        </details>
      )
    case 'image':
      return part.url.startsWith('data:image/') ? (
        <img className="chat-image" src={part.url} alt="sent with the message" />
      ) : (
        <code>{part.url}</code>
      )
    case 'tool-call':
      return (
        <div className="chat-tool">
          <h4>
            <code>{part.name}</code>
          </h4>
          <Value value={part.input} />
          {part.result !== undefined && (
            <>
              <h4 className="muted">result</h4>
              <Value value={part.result} />
            </>
          )}
        </div>
      )
    case 'json':
      return <Value value={part.value} />
  }
}

function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return <pre>{String(value)}</pre>
  const text = JSON.stringify(value, null, 2)
  return text.length < 600 ? <pre>{text}</pre> : <JsonTree value={value} />
}
