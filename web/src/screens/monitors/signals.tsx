/** The signals that run by themselves: what each found today, and whether it runs. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { post } from '../../api/client'
import { type Signal, signalsQuery } from '../../api/monitors'
import { useMay } from '../../api/session'
import { weavePath } from '../../app/address'
import { count } from '../../ui/format'
import { Failed } from '../../ui/states'
import './monitors.css'

export const SIGNALS: Record<Signal, string> = {
  refusal: 'The model refuses',
  no_answer: 'There is no answer',
  user_frustration: 'The user is frustrated',
  prompt_injection: 'Instructions are injected',
  tool_loop: 'A tool is called again and again',
  language_switch: 'The answer is in another script',
  pii: 'There is personal data',
}

export function Signals({ project }: { project: string }) {
  const client = useQueryClient()
  const mayChange = useMay('write', project, 'Monitors')
  const { data, error, refetch } = useQuery(signalsQuery(project))
  const change = useMutation({
    mutationFn: (off: Signal[]) => post('/signals/update', { project_id: project, off }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['signals', project] }),
  })
  const all = data?.signals ?? []
  const toggle = (one: Signal) =>
    change.mutate(all.filter(({ signal, on }) => (signal === one ? on : !on)).map(({ signal }) => signal))
  return (
    <section className="panel monitors-signals" aria-labelledby="monitors-signals">
      <h2 id="monitors-signals">Signals</h2>
      <p className="muted">
        They run by themselves on answers as they come, without a model. What one finds is feedback on the
        call.
      </p>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {data?.problem && <p className="bad">{data.problem}</p>}
      {change.error && (
        <p className="bad" role="alert">
          {change.error.message}
        </p>
      )}
      <ul>
        {all.map(({ signal, on, found_today: found }) => (
          <li key={signal}>
            <label className="check">
              <input
                type="checkbox"
                // What was clicked shows at once.
                checked={change.isPending ? !change.variables.includes(signal) : on}
                disabled={!mayChange || change.isPending}
                onChange={() => toggle(signal)}
              />
              {SIGNALS[signal]}
            </label>
            {found > 0 && (
              <Link to={weavePath(project, 'traces')} search={callsWith(signal)}>
                {count(found)} today
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const callsWith = (signal: Signal) => ({
  ...{ q: `feedback.[wandb.runnable.${signal}].payload.output.value:true`, all: true },
})
