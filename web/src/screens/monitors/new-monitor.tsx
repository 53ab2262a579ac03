/** Makes a monitor: which calls, how many of them, and what is noticed; shows what it would have matched. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { post } from '../../api/client'
import { previewQuery, type Signal } from '../../api/monitors'
import { scorerNamesQuery } from '../../api/objects'
import { Button } from '../../ui/button'
import { commaList } from '../../ui/comma-list'
import { Dialog } from '../../ui/dialog'
import { useSettled } from '../../ui/settled'
import { Preview } from './preview'
import { SIGNALS } from './signals'
import '../queues/queues.css'

export function NewMonitor({ project, open, close }: { project: string; open: boolean; close: () => void }) {
  const client = useQueryClient()
  const [signals, setSignals] = useState<readonly Signal[]>([])
  const [ops, setOps] = useState('')
  const [percent, setPercent] = useState(100)
  const [scorers, setScorers] = useState<readonly string[]>([])
  const { data: known = [] } = useQuery({ ...scorerNamesQuery(project), enabled: open })
  const asked = useMemo(() => {
    const names = commaList(ops)
    return {
      ...{ op_names: names.length === 0 ? null : names, sampling_rate: percent / 100, signals: [...signals] },
      scorer_refs: scorers.map((name) => `weave:///${project}/object/${name}:latest`),
    }
  }, [project, ops, percent, signals, scorers])
  const preview = useQuery({ ...previewQuery(project, useSettled(asked)), enabled: open })
  const make = useMutation({
    mutationFn: (form: FormData) =>
      post('/monitors/create', {
        ...{ project_id: project, name: String(form.get('name')), ...asked },
        quiet_seconds: form.get('whole') === null ? null : 60,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['monitors', project] })
      setSignals([])
      setScorers([])
      close()
    },
  })
  // Those of the signals are objects, too.
  const others = known.filter((name) => !Object.hasOwn(SIGNALS, name))
  return (
    <Dialog title="New monitor" open={open} close={close}>
      <form
        className="queues-form"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate(new FormData(event.currentTarget))
        }}
      >
        <label>
          Name
          <input
            className="input"
            name="name"
            required
            maxLength={128}
            pattern="[\w.\-]+"
            title="Letters, digits, _ . -"
          />
        </label>
        <fieldset>
          <legend>Notice</legend>
          {Object.entries(SIGNALS).map(([name, text]) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={signals.includes(name as Signal)}
                onChange={() => setSignals(toggled(name as Signal))}
              />
              {text}
            </label>
          ))}
        </fieldset>
        {others.length > 0 && (
          <fieldset>
            <legend>Scorers of this project</legend>
            {others.map((name) => (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={scorers.includes(name)}
                  onChange={() => setScorers(toggled(name))}
                />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <label>
          Ops, separated by commas; empty: all
          <input
            className="input"
            value={ops}
            onChange={(event) => setOps(event.target.value)}
            placeholder="answer, chat"
          />
        </label>
        <label>
          Percent of the calls
          <input
            className="input"
            type="number"
            min={0}
            max={100}
            step="any"
            required
            value={percent}
            onChange={(event) => setPercent(Number(event.target.value))}
          />
        </label>
        <label className="check">
          <input type="checkbox" name="whole" />
          Score a conversation as a whole, a minute after its last call
        </label>
        {preview.error ? (
          <p className="bad" role="alert">
            {preview.error.message}
          </p>
        ) : (
          preview.data && <Preview project={project} of={preview.data} />
        )}
        {make.error && (
          <p className="bad" role="alert">
            {make.error.message}
          </p>
        )}
        <Button
          type="submit"
          tone="primary"
          disabled={make.isPending || signals.length + scorers.length === 0}
        >
          Make the monitor
        </Button>
      </form>
    </Dialog>
  )
}

/** Adds one, or takes it away. */
const toggled =
  <T,>(one: T) =>
  (old: readonly T[]): readonly T[] =>
    old.includes(one) ? old.filter((other) => other !== one) : [...old, one]
