/** Makes a monitor: which calls, how many of them, and what is noticed; shows what it would have matched. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { post } from '../../api/client'
import { previewQuery, type Signal } from '../../api/monitors'
import { Button } from '../../ui/button'
import { commaList } from '../../ui/comma-list'
import { Dialog } from '../../ui/dialog'
import { counted } from '../../ui/format'
import { SIGNALS } from './signals'
import '../queues/queues.css'

export function NewMonitor({ project, open, close }: { project: string; open: boolean; close: () => void }) {
  const client = useQueryClient()
  const [signals, setSignals] = useState<readonly Signal[]>([])
  const [ops, setOps] = useState('')
  const [percent, setPercent] = useState(100)
  const names = commaList(ops)
  const matching = { op_names: names.length === 0 ? null : names, sampling_rate: percent / 100 }
  const preview = useQuery({ ...previewQuery(project, useDeferredValue(matching)), enabled: open })
  const make = useMutation({
    mutationFn: (form: FormData) =>
      post('/monitors/create', {
        ...{ project_id: project, name: String(form.get('name')), signals: [...signals], ...matching },
        quiet_seconds: form.get('whole') === null ? null : 60,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['monitors', project] })
      setSignals([])
      close()
    },
  })
  const toggle = (one: Signal) =>
    setSignals((old) => (old.includes(one) ? old.filter((other) => other !== one) : [...old, one]))
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
                onChange={() => toggle(name as Signal)}
              />
              {text}
            </label>
          ))}
        </fieldset>
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
        <p className="muted" role="status">
          {preview.error?.message ??
            (preview.data &&
              `It would have matched ${counted(preview.data.matched, 'call')} of the last week.`)}
        </p>
        {make.error && (
          <p className="bad" role="alert">
            {make.error.message}
          </p>
        )}
        <Button type="submit" tone="primary" disabled={make.isPending || signals.length === 0}>
          Make the monitor
        </Button>
      </form>
    </Dialog>
  )
}
