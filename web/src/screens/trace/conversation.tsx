/** The messages of a call, as a conversation. */

import { type ReactNode, useState } from 'react'
import { isInside, jsonText } from '../../api/json'
import { Button } from '../../ui/button'
import { count, counted } from '../../ui/format'
import { JsonTree } from '../../ui/json-tree'
import { Markdown, PlainText } from '../../ui/markdown'
import { indented } from '../../ui/parsed'
import { RefChip } from '../../ui/ref-chip'
import type { Message, Part } from './messages'
import type { Tool } from './setup'

/** Longer conversations show their end first, and more of what was before it when asked. */
const SHOWN = 200
/** Shorter JSON is a text, longer a tree. */
const SHORT = 400
/** The last messages of so many characters are formatted; those before them are shown as they are. */
const MOST_FORMATTED = 400_000

/** Of messages that say the same in every call, the beginning is shown at first. */
const SYSTEM = ['system', 'developer']
const FOLDED = 600
const NO_TOOLS: readonly Tool[] = []

/**
 * @param props.tools those that could be called, whose descriptions stand with their calls
 * @param props.isWhole no message is folded, because they are what is looked at
 */
export function Conversation({
  messages,
  tools = NO_TOOLS,
  isWhole = false,
}: {
  messages: readonly Message[]
  tools?: readonly Tool[]
  isWhole?: boolean
}) {
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
            <PartOf
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
              key={j}
              part={part}
              isPlain={hidden + i < firstFormatted}
              isFolded={!isWhole && SYSTEM.includes(message.role)}
              tools={tools}
            />
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

interface PartProps {
  part: Part
  isPlain: boolean
  isFolded: boolean
  tools: readonly Tool[]
}

function PartOf({ part, isPlain, isFolded, tools }: PartProps) {
  const Text = isPlain ? PlainText : Markdown
  switch (part.kind) {
    case 'text':
      return (
        <>
          {part.ref !== undefined && <RefChip to={part.ref} />}
          {isFolded && part.text.length > FOLDED ? (
            <Folded text={part.text} whole={<Text text={part.text} />} />
          ) : (
            <Text text={part.text} />
          )}
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
          <Schema tool={tools.find(({ name }) => name === part.name)} />
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

/** The beginning of a long text, and all of it when asked. */
function Folded({ text, whole }: { text: string; whole: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isOpen ? whole : <PlainText text={`${text.slice(0, FOLDED / 2).trimEnd()} …`} />}
      <Button tone="quiet" className="chat-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all ${count(text.length)} characters`}
      </Button>
    </>
  )
}

/** What a tool is for, and what it takes. */
function Schema({ tool }: { tool: Tool | undefined }) {
  if (tool === undefined) return null
  return (
    <details className="chat-reasoning">
      <summary>{tool.description === '' ? 'Its schema' : tool.description}</summary>
      <Value value={tool.schema} />
    </details>
  )
}

function Value({ value }: { value: unknown }) {
  if (value === undefined || value === null) return null
  if (!isInside(value)) return <pre>{String(value)}</pre>
  return jsonText(value).length < SHORT ? <pre>{indented(value)}</pre> : <JsonTree value={value} />
}
