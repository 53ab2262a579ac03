/** How far a monitor and people agree, and the calls on which they don't, for a dataset. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { agreementQuery } from '../../api/monitors'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { count, counted, decimal, share } from '../../ui/format'
import { TableOf } from '../../ui/table'
import { AddToDataset } from '../traces/add-to'
import '../queues/queues.css'

interface Props {
  project: string
  /** its name; empty: none is shown */
  monitor: string
  /** their names */
  scorers: readonly string[]
  close: () => void
}

const REACTIONS = 'wandb.reaction.1'

export function Agreement({ project, monitor, scorers, close }: Props) {
  const [type, setType] = useState(REACTIONS)
  const [chosen, setChosen] = useState('')
  const [invert, setInvert] = useState(true)
  /** kept, since this dialog closes for the next one */
  const [added, setAdded] = useState<readonly string[]>()
  const scorer = scorers.includes(chosen) ? chosen : scorers[0]
  const people = { feedback_type: useDeferredValue(type), invert }
  const query = useQuery({
    ...agreementQuery(project, monitor, scorer, people),
    enabled: monitor !== '' && people.feedback_type !== '',
  })
  const { data, error } = query
  const calls = data?.disagreements.map(({ call_id: id }) => id) ?? []
  return (
    <>
      <Dialog title={`${monitor} and people`} open={monitor !== '' && added === undefined} close={close}>
        <div className="queues-form">
          {scorers.length > 1 && (
            <label>
              Scorer
              <select className="select" value={scorer} onChange={({ target }) => setChosen(target.value)}>
                {scorers.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          <label>
            Feedback of people
            <input
              className="input"
              list="monitors-feedback"
              value={type}
              onChange={({ target }) => setType(target.value)}
            />
          </label>
          <datalist id="monitors-feedback">
            <option value={REACTIONS}>thumbs up and down</option>
            <option value="wandb.annotation.">an annotation field, by its name</option>
          </datalist>
          <label className="check">
            <input type="checkbox" checked={invert} onChange={({ target }) => setInvert(target.checked)} />A
            thumb up means that there is nothing to notice
          </label>
          {error && (
            <p className="bad" role="alert">
              {error.message}
            </p>
          )}
          {data && (
            <p role="status">
              {data.count === 0
                ? 'There is no call of the last 30 days that both judged.'
                : `They agree on ${count(data.agreed)} of ${counted(data.count, 'call')} (${share(data.agreed / data.count)})${data.kappa === null ? '' : `, κ ${decimal(data.kappa)}`}.`}
            </p>
          )}
          {data && data.count > 0 && (
            <TableOf
              label="What each said"
              query={query}
              rows={data.confusion}
              keyOf={(one) => `${one.monitor} ${one.people}`}
              columns={[
                { title: 'Monitor', cell: (one) => one.monitor },
                { title: 'People', cell: (one) => one.people },
                { title: 'Calls', isNumber: true, cell: (one) => count(one.count) },
              ]}
              empty={null}
            />
          )}
          <Button disabled={calls.length === 0} onClick={() => setAdded(calls)}>
            Add the calls on which they differ to a dataset…
          </Button>
        </div>
      </Dialog>
      <AddToDataset
        chosen={{ project, condition: {}, sort: [], count: added?.length ?? 0, ids: added ?? [] }}
        open={added !== undefined}
        close={() => setAdded(undefined)}
      />
    </>
  )
}
