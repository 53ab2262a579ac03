/** Above a conversation: the parameters of the model, and the tools that it might call. */
import { jsonText } from '../../api/json'
import { counted } from '../../ui/format'
import { Content } from './content'
import type { Setup, Tool } from './setup'

export function ModelSetup({ parameters, tools }: Setup) {
  return (
    <>
      {parameters.length > 0 && (
        <dl className="chat-parameters" aria-label="Parameters of the model">
          {parameters.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'object' ? jsonText(value) : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {tools.length > 0 && (
        <details className="chat-tools">
          <summary>{counted(tools.length, 'tool')} to call</summary>
          {tools.map((tool, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a tool is its place; names may repeat
            <ToolOf key={i} {...tool} />
          ))}
        </details>
      )}
    </>
  )
}

function ToolOf({ name, description, schema }: Tool) {
  return (
    <details className="chat-tool">
      <summary>
        <code>{name}</code> <span className="muted">{description}</span>
      </summary>
      <Content value={schema} />
    </details>
  )
}
