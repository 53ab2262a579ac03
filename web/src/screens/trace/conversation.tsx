/** The messages of a call, as a conversation. */
import { useState } from 'react'
import { Button } from '../../ui/button'
import { count, counted } from '../../ui/format'
import { JsonTree } from '../../ui/json-tree'
import { Markdown, PlainText } from '../../ui/markdown'
import { indented } from '../../ui/parsed'
import { RefChip } from '../../ui/ref-chip'
import type { Message, Part } from './messages'

/** Longer conversations show their end first, and more of what was before it when asked. */
const SHOWN = 200
/** Shorter JSON is a text, longer a tree. */
const SHORT = 400
/** The last messages of so many characters are formatted; those before them are shown as they are. */
const MOST_FORMATTED = 400_000

export function Conversation({ messages }: { messages: readonly Message[] }) {
  const [most, setMost] = useState(SHOWN)
  const hidden = Math.max(0, messages.length - most)
  const firstFormatted = firstWithin(messages, MOST_FORMATTED)
  return (
    <div className="chat">
      {hidden > 0 && (
        <Button onClick={() => setMost(most + SHOWN)}>
          Show {count(Math.min(SHOWN, hidden))} of {counted(hidden, 'earlier message')}
        </Button>
      )}
      {messages.slice(hidden).map((message, i) => (
        <article
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
          key={hidden + i}
          className={`chat-message ${message.role}${message.isOutput ? ' output' : ''}`}
        >
          <h3>{message.role}</h3>
          {message.parts.map((part, j) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <PartOf key={j} part={part} isPlain={hidden + i < firstFormatted} />
          ))}
        </article>
      ))}
    </div>
  )
}

/** The first of the last messages whose texts have at most this many characters. */
function firstWithin(messages: readonly Message[], most: number): number {
  let left = most
  return (
    messages.findLastIndex(({ parts }) => {
      for (const part of parts) if ('text' in part) left -= part.text.length
      return left < 0
    }) + 1
  )
}

function PartOf({ part, isPlain }: { part: Part; isPlain: boolean }) {
  const Text = isPlain ? PlainText : Markdown
  switch (part.kind) {
    case 'text':
      return (
        <>
          {part.ref !== undefined && <RefChip to={part.ref} />}
          <Text text={part.text} />
        </>
      )
    case 'reasoning':
      return (
        <details className="chat-reasoning">
          <summary>Reasoning</summary>
          <Text text={part.text} />
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
    case 'tool-result':
      return (
        <div className="chat-tool">
          <h4 className="muted">
            result of <code>{part.id === '' ? 'a tool' : part.id}</code>
          </h4>
          <Value value={part.result} />
        </div>
      )
    case 'json':
      return (
        <>
          {part.ref !== undefined && <RefChip to={part.ref} />}
          <Value value={part.value} />
        </>
      )
  }
}

function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object') return <pre>{String(value)}</pre>
  return JSON.stringify(value).length < SHORT ? <pre>{indented(value)}</pre> : <JsonTree value={value} />
}
