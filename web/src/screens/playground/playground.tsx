/** Tries messages on one or several models: from nothing, a traced call or a prompt; saves them as a prompt. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { modelsQuery } from '../../api/completions'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { type Answer, messageOf, resultMessages } from './answer'
import { Column, MODELS_LIST } from './column'
import { type Draft, draftMessage, EMPTY, problemOf, variableNames } from './draft'
import { keepDraft, keptDraft } from './kept'
import { Messages } from './messages'
import { OverDataset } from './over-dataset'
import { RequestSettings } from './request-settings'
import './playground.css'
import { ProvidersDialog } from './providers'
import { useRuns } from './runs'
import { savePrompt } from './save'
import { seedQuery } from './seed'

const MOST_MODELS = 6

export function Playground() {
  const project = useProject()
  const search = useSearch({ from: '/inside/$entity/$project/weave/playground' })
  const isSeeded = Object.keys(search).length > 0
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({ ...seedQuery(project.id, search), enabled: isSeeded })
  useEffect(() => {
    if (!isSeeded || data === undefined) return
    keepDraft(project.id, { ...(search.call || search.prompt ? EMPTY : keptDraft(project.id)), ...data })
    void navigate({ to: '.', search: {}, replace: true })
  }, [isSeeded, data, search, project.id, navigate])
  if (error && isSeeded) return <Failed error={error} retry={() => void refetch()} />
  return isSeeded ? <Loading /> : <Whole key={project.id} project={project.id} />
}

function Whole({ project }: { project: string }) {
  const [draft, setDraft] = useState(() => keptDraft(project))
  const [tab, setTab] = useState<'models' | 'dataset'>('models')
  const [isSaving, setSaving] = useState(false)
  const [areProviders, setProviders] = useState(false)
  const { data: models = [] } = useQuery(modelsQuery(project))
  const { answers, isBusy, run, stop } = useRuns(project)
  const change = (more: Partial<Draft>) => setDraft((old) => ({ ...old, ...more }))
  useEffect(() => keepDraft(project, draft), [project, draft])
  const problem =
    problemOf(draft) ?? (draft.models.every((name) => name === '') ? 'Choose a model.' : undefined)
  const start = () => problem === undefined && void run(draft)
  const goOn = (answer: Answer, results: readonly string[]) => {
    const answered = [...draft.messages, draftMessage(messageOf(answer))]
    if (answer.toolCalls.length === 0) return change({ messages: [...answered, { role: 'user', text: '' }] })
    const messages = [...answered, ...resultMessages(answer, results).map(draftMessage)]
    change({ messages })
    if (problem === undefined) void run({ ...draft, messages })
  }
  useShortcuts([{ keys: 'Escape', what: 'Stop the models', run: stop }])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key that works in every field of the page
    <div
      className="page"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) start()
      }}
    >
      <div className="page-head">
        <h1>Playground</h1>
        <span className="grow" />
        <Button onClick={() => setProviders(true)}>Providers…</Button>
        <Button onClick={() => setDraft({ ...EMPTY, models: draft.models })}>Clear</Button>
        <Button disabled={problemOf(draft) !== undefined} onClick={() => setSaving(true)}>
          Save as prompt
        </Button>
        {isBusy ? (
          <Button icon="pause" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button
            icon="play"
            tone="primary"
            disabled={problem !== undefined || tab !== 'models'}
            title={problem ?? 'Ctrl+Enter'}
            onClick={start}
          >
            Run
          </Button>
        )}
      </div>
      <div className="playground">
        <section className="playground-draft" aria-label="What is asked" tabIndex={0}>
          <Messages messages={draft.messages} change={(messages) => change({ messages })} />
          <Variables draft={draft} change={(variables) => change({ variables })} />
          <RequestSettings draft={draft} change={change} />
        </section>
        <section className="playground-side" aria-label="What comes back">
          <Tabs
            tabs={[
              ['models', 'Models'],
              ['dataset', 'Over a dataset'],
            ]}
            chosen={tab}
            choose={setTab}
          />
          <datalist id={MODELS_LIST}>
            {models.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {tab === 'models' ? (
            <div className="playground-columns" role="tabpanel">
              {draft.models.map((model, i) => (
                <Column
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                  key={i}
                  project={project}
                  number={i + 1}
                  model={model}
                  setModel={(name) =>
                    change({ models: draft.models.map((one, j) => (i === j ? name : one)) })
                  }
                  remove={
                    draft.models.length === 1
                      ? undefined
                      : () => change({ models: draft.models.filter((_, j) => i !== j) })
                  }
                  answer={answers[i]}
                  goOn={goOn}
                />
              ))}
              {draft.models.length < MOST_MODELS && (
                <Button icon="plus" onClick={() => change({ models: [...draft.models, ''] })}>
                  Another model
                </Button>
              )}
            </div>
          ) : (
            <OverDataset project={project} draft={draft} problem={problem} />
          )}
        </section>
      </div>
      <ProvidersDialog project={project} open={areProviders} close={() => setProviders(false)} />
      <Save project={project} draft={draft} open={isSaving} close={() => setSaving(false)} />
    </div>
  )
}

function Variables({
  draft: { messages, variables },
  change,
}: {
  draft: Draft
  change: (variables: Record<string, string>) => void
}) {
  const names = variableNames(messages)
  if (names.length === 0) return null
  return (
    <fieldset className="playground-variables">
      <legend>Variables</legend>
      {names.map((name) => (
        <label key={name}>
          <code>{name}</code>
          <textarea
            className="input"
            rows={1}
            value={variables[name] ?? ''}
            onChange={(event) => change({ ...variables, [name]: event.target.value })}
          />
        </label>
      ))}
    </fieldset>
  )
}

interface SaveProps {
  project: string
  draft: Draft
  open: boolean
  close: () => void
}

function Save({ project, draft, open, close }: SaveProps) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: async (id: string) => ({ id, digest: await savePrompt(project, id, draft.messages) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['objects', project] }),
  })
  const { data: saved } = save
  return (
    <Dialog
      title="Save as prompt"
      open={open}
      close={() => {
        save.reset()
        close()
      }}
    >
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(String(new FormData(event.currentTarget).get('name')))
        }}
      >
        <input
          className="input grow"
          name="name"
          required
          pattern="[\w.\-]{1,128}"
          aria-label="Name"
          defaultValue={draft.prompt ?? ''}
          placeholder="Name (an existing prompt gets a new version)"
        />
        <Button type="submit" tone="primary" disabled={save.isPending}>
          Save
        </Button>
      </form>
      {save.error && (
        <p className="bad" role="alert">
          {save.error.message}
        </p>
      )}
      {saved && (
        <p role="status">
          Saved:{' '}
          <Link to={weavePath(project, 'objects', saved.id, 'versions', saved.digest)}>
            {saved.id} {saved.digest.slice(0, 8)}
          </Link>
        </p>
      )}
    </Dialog>
  )
}
