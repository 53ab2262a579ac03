/** The messages of a draft, to edit. One that is more than a text is edited as JSON. */
import { Button, IconButton } from '../../ui/button'
import { JsonField } from '../../ui/json-field'
import { jsonProblem } from '../../ui/json-problem'
import type { DraftMessage } from './draft'

const ROLES = ['system', 'user', 'assistant', 'tool', 'developer']

export function Messages({
  messages,
  change,
}: {
  messages: readonly DraftMessage[]
  change: (messages: DraftMessage[]) => void
}) {
  const set = (i: number, next: Partial<DraftMessage>) =>
    change(messages.map((one, j) => (i === j ? { ...one, ...next } : one)))
  const lastRole = messages.at(-1)?.role
  return (
    <div className="playground-messages">
      {messages.map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place
        <div key={i} className="playground-message">
          <div className="row">
            <select
              className="select"
              aria-label={`Role of message ${i + 1}`}
              value={message.role}
              onChange={(event) => set(i, { role: event.target.value })}
            >
              {[...new Set([...ROLES, message.role])].map((role) => (
                <option key={role}>{role}</option>
              ))}
            </select>
            <span className="grow" />
            <IconButton
              icon="trash"
              label={`Remove message ${i + 1}`}
              onClick={() => change(messages.filter((_, j) => i !== j))}
            />
          </div>
          {message.isJson ? (
            <JsonField
              label={`Message ${i + 1} as JSON`}
              text={message.text}
              setText={(text) => set(i, { text })}
              problem={jsonProblem(message.text, 'object')}
            />
          ) : (
            <textarea
              className="input"
              aria-label={`Message ${i + 1}`}
              rows={Math.min(16, Math.max(2, message.text.split('\n').length + 1))}
              placeholder="Text; {name} or {{name}} is a variable"
              value={message.text}
              onChange={(event) => set(i, { text: event.target.value })}
            />
          )}
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() => change([...messages, { role: lastRole === 'user' ? 'assistant' : 'user', text: '' }])}
      >
        Add a message
      </Button>
    </div>
  )
}
