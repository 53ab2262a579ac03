/** A form that sends a request to a route, and the same request as a command. */

import { useState } from 'react'
import { csrfToken } from '../../api/client'
import { jsonText, parseJson } from '../../api/json'
import type { ApiDocument } from '../../api/open-api'
import { Button } from '../../ui/button'
import { Code } from '../../ui/code'
import { exampleOf, type Listed, resolved, typeName } from './schema'

/** Longer answers are cut. */
const MOST = 100_000

interface Answer {
  isGood: boolean
  says: string
  text?: string
}

interface Input {
  name: string
  place: 'path' | 'query' | 'header' | 'form' | 'file'
  type: string
}

/** @param props.apiKey empty: the request is sent by who is signed in */
export function Try({ of, apiKey, method, path, operation }: Listed & { of: ApiDocument; apiKey: string }) {
  const types = Object.keys(operation.requestBody?.content ?? {})
  const type = types.includes('application/json') ? 'application/json' : types[0]
  const schema = type === undefined ? {} : (operation.requestBody!.content[type]!.schema ?? {})
  const isJson = type === 'application/json'
  const isForm = type === 'multipart/form-data'
  const [body, setBody] = useState(() => JSON.stringify(exampleOf(of, schema), null, 2))
  const [values, setValues] = useState<Record<string, string>>({})
  const [files, setFiles] = useState<Record<string, File>>({})
  const [answer, setAnswer] = useState<Answer>()
  const inputs: Input[] = (operation.parameters ?? []).map(({ name, in: place, schema: one }) => ({
    ...{ name, place: place as Input['place'], type: typeName(one) },
  }))
  if (isForm)
    for (const [name, field] of Object.entries(resolved(of, schema).properties ?? {}))
      inputs.push({ name, place: field.contentMediaType ? 'file' : 'form', type: typeName(field) })
  const given = (place: Input['place']) =>
    inputs.flatMap((input) => {
      const value = values[input.name] ?? ''
      return input.place === place && value !== '' ? [[input.name, value] as const] : []
    })
  const address = addressOf(path, given('path'), given('query'))
  const send = async () => {
    setAnswer({ isGood: true, says: 'sending…' })
    const form = new FormData()
    for (const [name, value] of given('form')) form.append(name, value)
    for (const [name, file] of Object.entries(files)) form.append(name, file)
    const from = performance.now()
    try {
      const response = await fetch(address, {
        method,
        headers: {
          ...Object.fromEntries(given('header')),
          ...(apiKey === '' ? { 'x-csrf-token': csrfToken() } : { authorization: `Bearer ${apiKey}` }),
          ...(isJson && { 'content-type': type }),
        },
        ...(isJson && { body }),
        ...(isForm && { body: form }),
        credentials: apiKey === '' ? 'same-origin' : 'omit',
      })
      const text = await response.text()
      const ms = Math.round(performance.now() - from)
      setAnswer({
        isGood: response.ok,
        says: `${response.status} · ${ms} ms · ${text.length} characters`,
        text: laidOut(text).slice(0, MOST),
      })
    } catch (error) {
      setAnswer({ isGood: false, says: String(error) })
    }
  }
  const command = [
    `curl -X ${method} ${quoted(location.origin + address)}`,
    ...(operation.security.length > 0 ? ['-u "api:$WANDB_API_KEY"'] : []),
    ...given('header').map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(isJson ? [`-H 'content-type: application/json'`, `-d ${quoted(body)}`] : []),
    ...given('form').map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`),
    ...Object.keys(files).map((name) => `-F ${quoted(`${name}=@your-file`)}`),
  ].join(' \\\n  ')
  return (
    <form
      className="docs-try"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {inputs.map(({ name, place, type: hint }) => (
        <div key={`${place} ${name}`} className="docs-row">
          <span>{name}</span>
          {place === 'file' ? (
            <input
              type="file"
              aria-label={name}
              onChange={({ target }) =>
                setFiles(target.files?.[0] ? { ...files, [name]: target.files[0] } : {})
              }
            />
          ) : (
            <input
              className="input mono"
              aria-label={name}
              placeholder={hint}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          )}
        </div>
      ))}
      {isJson && (
        <textarea
          className="input mono"
          aria-label="Body"
          rows={Math.min(16, body.split('\n').length + 1)}
          spellCheck={false}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      )}
      <div className="row">
        <Button type="submit" tone="primary">
          Send
        </Button>
        <span role="status" className={answer?.isGood === false ? 'bad' : 'muted'}>
          {answer?.says}
        </span>
      </div>
      {answer?.text !== undefined && <Code text={answer.text} language="json" />}
      <Code text={command} language="sh" />
    </form>
  )
}

type Given = readonly (readonly [name: string, value: string])[]

function addressOf(path: string, parts: Given, query: Given): string {
  const whole = parts.reduce(
    (so, [name, value]) => so.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
  return query.length === 0 ? whole : `${whole}?${new URLSearchParams(query.map((pair) => [...pair]))}`
}

/** For a shell. */
const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`

/** JSON on many lines; what is none, as it is. */
function laidOut(text: string): string {
  try {
    return jsonText(parseJson(text), 2)
  } catch {
    return text
  }
}
