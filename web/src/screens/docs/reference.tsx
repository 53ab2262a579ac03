/** Every route of the interface: what it takes and answers, and a form that sends a request. */
import { useLocation, useNavigate } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'
import type { ApiDocument, Schema } from '../../api/open-api'
import { groupsOf, type Listed, meaningOf, resolved, typeName, withFields } from './schema'
import { Try } from './try'

/** @param props.typed what is looked for; empty: all are shown */
export function Reference({ of, typed }: { of: ApiDocument; typed: string }) {
  const [key, setKey] = useState('')
  const { hash } = useLocation()
  return (
    <>
      <header className="docs-about">
        <h1>
          API <small className="muted">{of.info.version}</small>
        </h1>
        {of.info.description.split('\n\n').map((text) => (
          <p key={text}>{text}</p>
        ))}
        <div className="docs-row">
          <label htmlFor="docs-key">API key</label>
          <input
            id="docs-key"
            className="input mono"
            type="password"
            autoComplete="off"
            placeholder="for Try it; without one you are the sender"
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
          <a href="/openapi.json">openapi.json</a>
        </div>
      </header>
      {groupsOf(of, typed).map(([tag, routes]) => (
        <section key={tag}>
          <h2>{tag}</h2>
          {routes.map((route) => {
            const id = route.operation.operationId
            return <Route key={id} of={of} apiKey={key} isMeant={hash === id} {...route} />
          })}
        </section>
      ))}
    </>
  )
}

/** How a route is asked, in a colour of its own. */
export function Method({ of }: { of: string }) {
  return <span className={`docs-method ${of.toLowerCase()}`}>{of === 'DELETE' ? 'DEL' : of}</span>
}

interface Shown extends Listed {
  of: ApiDocument
  apiKey: string
  /** whether the address names it */
  isMeant: boolean
}

const Route = memo(function Route({ of, apiKey, isMeant, ...route }: Shown) {
  const { operationId: id, summary } = route.operation
  const [isOpen, setOpen] = useState(isMeant)
  const element = useRef<HTMLDetailsElement>(null)
  const navigate = useNavigate()
  useEffect(() => {
    if (!isMeant) return
    setOpen(true)
    element.current!.scrollIntoView({ block: 'nearest' })
  }, [isMeant])
  return (
    <details
      ref={element}
      id={id}
      className="docs-route panel"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open)
        if (open && !isMeant)
          void navigate({ to: '/docs', hash: id, replace: true, hashScrollIntoView: false })
      }}
    >
      <summary>
        <Method of={route.method} />
        <span className="mono">{route.path}</span>
        <span className="muted docs-what">{summary}</span>
      </summary>
      {isOpen && <Sheet of={of} apiKey={apiKey} {...route} />}
    </details>
  )
})

/** The parts of a text; those in backticks as code. */
const withCode = (text: string) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
  text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))

function Sheet({ of, apiKey, ...route }: Listed & { of: ApiDocument; apiKey: string }) {
  const { description, operationId, parameters = [], requestBody, responses } = route.operation
  const right = route.operation['x-right']
  return (
    <div className="docs-sheet">
      {description !== undefined && <p>{withCode(description)}</p>}
      <p>
        <span className="chip">{right === undefined ? 'needs no key' : `needs a key that may ${right}`}</span>{' '}
        <span className="chip">{operationId}</span>
      </p>
      {parameters.length > 0 && (
        <ul className="docs-fields">
          {parameters.map(({ name, in: place, schema, required = false, description: note }) => (
            <li key={name}>
              <Field name={name} type={`${typeName(schema)} in ${place}`} required={required} note={note} />
            </li>
          ))}
        </ul>
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => (
        <div key={type}>
          <h3>Body · {type}</h3>
          <Fields of={of} schema={schema} />
        </div>
      ))}
      {Object.entries(responses['200']?.content ?? {}).map(([type, { schema = {}, ...media }]) => (
        <div key={type}>
          <h3>
            Answer · {type}
            {media['x-item-schema'] && ' · one per line'}
          </h3>
          <Fields of={of} schema={media['x-item-schema'] ?? schema} />
        </div>
      ))}
      <h3>Errors</h3>
      <ul className="docs-fields">
        {Object.entries(responses)
          .filter(([status]) => status !== '200')
          .map(([status, response]) => (
            <li key={status}>
              <b className="mono">{status}</b> <span className="muted">{meaningOf(of, response)}</span>
            </li>
          ))}
      </ul>
      <h3>Try it</h3>
      <Try of={of} apiKey={apiKey} {...route} />
    </div>
  )
}

interface FieldProps {
  name: string
  type: string
  required: boolean
  note: string | undefined
}

function Field({ name, type, required, note }: FieldProps) {
  return (
    <>
      <b className="mono">{name}</b> <code>{type}</code> {required && <span className="bad">required</span>}{' '}
      {note && <span className="muted">{note}</span>}
    </>
  )
}

/** @param props.seen what it is within: a schema that holds itself is not unfolded again */
function Fields({ of, schema, seen = [] }: { of: ApiDocument; schema: Schema; seen?: readonly Schema[] }) {
  const here = withFields(of, schema)
  if (here === undefined) return <code>{typeName(schema)}</code>
  return (
    <ul className="docs-fields">
      {Object.entries(here.properties!).map(([name, field]) => {
        const deeper = withFields(of, field)
        const usual = field.default ?? undefined
        const notes = [
          field.description ?? resolved(of, field).description,
          usual !== undefined && `default ${JSON.stringify(usual)}`,
        ]
        return (
          <li key={name}>
            <Field
              name={name}
              type={typeName(field)}
              required={here.required?.includes(name) ?? false}
              note={notes.filter(Boolean).join('; ')}
            />
            {deeper && !seen.includes(deeper) && (
              <Unfolded of={of} schema={field} seen={[...seen, here, deeper]} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Unfolded(props: { of: ApiDocument; schema: Schema; seen: readonly Schema[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="muted">fields</summary>
      {isOpen && <Fields {...props} />}
    </details>
  )
}
