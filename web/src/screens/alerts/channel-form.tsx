/** What a new channel is: its type, and the address or key that belongs to it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Channel, type NewChannel, saveChannel } from '../../api/alerts'
import { Button } from '../../ui/button'
import { commaList } from '../../ui/comma-list'

type Type = Channel['type']

export const TYPES: Readonly<Record<Type, string>> = {
  ...{ webhook: 'Webhook', slack: 'Slack', pagerduty: 'PagerDuty', email: 'E-mail', github: 'GitHub' },
}

interface Field {
  name: string
  label: string
  type?: 'url' | 'password'
  placeholder?: string
  value?: string
}

const url = (placeholder: string): Field => ({ name: 'url', label: 'Address', type: 'url', placeholder })
const api = (value: string): Field => ({ name: 'api_url', label: 'Address of its API', type: 'url', value })

const FIELDS: Readonly<Record<Type, readonly Field[]>> = {
  webhook: [url('https://example.com/alerts')],
  slack: [url('https://hooks.slack.com/services/…')],
  pagerduty: [
    { name: 'routing_key', label: 'Integration key', type: 'password' },
    api('https://events.pagerduty.com'),
  ],
  email: [{ name: 'to', label: 'Addresses, by commas', placeholder: 'ann@example.com, team@example.com' }],
  github: [
    { name: 'repository', label: 'Repository', placeholder: 'owner/name' },
    { name: 'token', label: 'Token', type: 'password' },
    { name: 'event_type', label: 'Type of the event', value: 'heddle-alert' },
    api('https://api.github.com'),
  ],
}

const HINTS: Partial<Record<Type, string>> = {
  slack: 'The address of an incoming webhook.',
  email: 'The operator sets the mail server: HEDDLE_SMTP_URL.',
  github:
    'Alerts begin workflows of the repository: on repository_dispatch. The token may write its contents.',
}

function channelOf(type: Type, form: FormData): NewChannel {
  const text = ({ name }: Field) => String(form.get(name) ?? '').trim()
  if (type === 'email') return { type, to: commaList(text(FIELDS.email[0]!)) }
  return { type, ...Object.fromEntries(FIELDS[type].map((field) => [field.name, text(field)])) } as NewChannel
}

/** @param props.done gets the signing secret of a webhook */
export function ChannelForm({ project, done }: { project: string; done: (secret: string | null) => void }) {
  const client = useQueryClient()
  const [type, setType] = useState<Type>('webhook')
  const save = useMutation({
    mutationFn: (form: FormData) => saveChannel(project, String(form.get('name')), channelOf(type, form)),
    onSuccess: async (secret) => {
      await client.invalidateQueries({ queryKey: ['channels', project] })
      done(secret)
    },
  })
  return (
    <form
      className="alerts-form"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(new FormData(event.currentTarget))
      }}
    >
      <label>
        Name
        <input
          className="input"
          name="name"
          required
          maxLength={64}
          pattern="[\w.\-]+"
          title="Letters, digits, _ . -"
        />
      </label>
      <label>
        Type
        <select className="select" value={type} onChange={({ target }) => setType(target.value as Type)}>
          {Object.entries(TYPES).map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {FIELDS[type].map(({ name, label, type: kind = 'text', placeholder, value }) => (
        <label key={`${type} ${name}`}>
          {label}
          <input
            className="input"
            name={name}
            type={kind}
            required
            autoComplete="off"
            {...{ placeholder, defaultValue: value }}
          />
        </label>
      ))}
      {HINTS[type] && <p className="muted">{HINTS[type]}</p>}
      <p className="muted">Addresses and keys are stored encrypted and not shown again.</p>
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
      <Button type="submit" tone="primary" disabled={save.isPending}>
        Save the channel
      </Button>
    </form>
  )
}
