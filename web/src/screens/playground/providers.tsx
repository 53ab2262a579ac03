/** The providers of a project's models: which there are, and a form for one. The values of secrets are not seen here. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { secretsQuery } from '../../api/keys'
import { type Provider, providersQuery, saveProvider } from '../../api/providers'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, NameField } from '../../ui/fields'
import { counted } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { Table } from '../../ui/table'

interface Props {
  project: string
  open: boolean
  close: () => void
}

export function ProvidersDialog({ project, open, close }: Props) {
  return (
    <Dialog title="Providers of models" open={open} close={close}>
      <Providers project={project} />
    </Dialog>
  )
}

const NEW: Provider = { id: '', name: '', address: '', secret: '', headers: {}, models: [] }

function Providers({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(providersQuery(project))
  const [edited, setEdited] = useState<Provider>()
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (edited) return <Form project={project} provider={edited} done={() => setEdited(undefined)} />
  return (
    <div className="playground-providers">
      {data.length === 0 ? (
        <p>
          None yet. A provider is an address that answers as OpenAI's does, the secret that it is sent, and
          the names of its models.
        </p>
      ) : (
        <Table
          label="Providers"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: (one) => (
                <Button tone="quiet" onClick={() => setEdited(one)}>
                  {one.name}
                </Button>
              ),
            },
            { title: 'Address', isWide: true, cell: ({ address }) => address },
            { title: 'Models', cell: ({ models }) => counted(models.length, 'model') },
          ]}
        />
      )}
      <p>
        <Button icon="plus" onClick={() => setEdited(NEW)}>
          Add a provider
        </Button>
      </p>
    </div>
  )
}

/** Where providers that answer as OpenAI's does are found, and what their keys are called by custom. */
const KINDS = {
  openai: ['OpenAI', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
  anthropic: ['Anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY'],
  google: ['Google', 'https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'],
  mistral: ['Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'],
  deepseek: ['DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'],
  groq: ['Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
  together: ['Together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'],
  openrouter: ['OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
  other: ['Another one', '', ''],
} as const
type Kind = keyof typeof KINDS
const TITLES = Object.fromEntries(Object.entries(KINDS).map(([kind, [title]]) => [kind, title]))

const kindOf = (address: string): Kind =>
  (Object.keys(KINDS) as Kind[]).find((kind) => KINDS[kind][1] === address) ?? 'other'

function Form({ project, provider, done }: { project: string; provider: Provider; done: () => void }) {
  const client = useQueryClient()
  const isNew = provider.id === ''
  const [name, setName] = useState(provider.name)
  const [address, setAddress] = useState(provider.address)
  const [secret, setSecret] = useState(provider.secret)
  const [models, setModels] = useState(provider.models.map((one) => one.name).join('\n'))
  // Who may not list them types a name.
  const { data: secrets = [] } = useQuery({ ...secretsQuery, retry: false })
  const entity = project.split('/')[0]!
  const known = secrets.filter(({ scope }) => ['*', entity, project].includes(scope))
  const limits = new Map(provider.models.map((one) => [one.name, one.maxTokens]))
  const wanted = [...new Set(models.split('\n').flatMap((one) => one.trim() || []))]
  const save = useMutation({
    mutationFn: () =>
      saveProvider(project, name, {
        base_url: address,
        api_key_secret: secret || null,
        headers: provider.headers,
        runtime_ids: wanted.map((id) => ({ id, max_tokens: limits.get(id) ?? 4096 })),
      }),
    onSuccess: async () => {
      await Promise.all(
        ['providers', 'models'].map((kind) => client.invalidateQueries({ queryKey: [kind, project] })),
      )
      done()
    },
  })
  const origin = URL.canParse(address) ? new URL(address).origin : 'https://api.example.com'
  const isKnown = known.some((one) => one.name === secret)
  return (
    <form
      className="playground-providers"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <ChoiceField<Kind>
        label="Kind"
        of={TITLES}
        value={kindOf(address)}
        choose={(kind) => {
          const [, at, key] = KINDS[kind]
          setAddress(at)
          setSecret(key)
          if (isNew && kind !== 'other') setName(kind)
        }}
      />
      <label>
        Name
        <input
          className="input"
          required
          disabled={!isNew}
          pattern="[\w.\-]{1,60}"
          placeholder="letters, digits, _ . and -"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <label>
        Base address
        <input
          className="input"
          type="url"
          required
          placeholder="https://api.example.com/v1"
          value={address}
          onChange={({ target }) => setAddress(target.value)}
        />
      </label>
      <NameField
        label="Secret"
        names={[...new Set(known.map((one) => one.name))]}
        value={secret}
        set={setSecret}
        none="none is sent"
        maxLength={128}
      />
      {secret !== '' && !isKnown && (
        <div className="settings-hint">
          <p>Its value is set once, on the machine that Heddle runs on, and shown to nobody after that:</p>
          <Snippet text={`heddle secrets set ${project} ${secret} --for ${origin} < file`} />
        </div>
      )}
      <label>
        Models
        <textarea
          className="input mono"
          required
          rows={Math.min(10, Math.max(3, wanted.length + 1))}
          placeholder="one a line, as the provider calls them"
          spellCheck={false}
          value={models}
          onChange={({ target }) => setModels(target.value)}
        />
      </label>
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
      <p className="row">
        <Button type="submit" tone="primary" disabled={save.isPending || wanted.length === 0}>
          Save the provider
        </Button>
        <Button tone="quiet" onClick={done}>
          Back
        </Button>
      </p>
    </form>
  )
}
