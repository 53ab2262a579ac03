/** A project's own prices of models, which go before the usual ones. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pricesQuery, removePrice, setPrice } from '../../api/settings'
import { Button, IconButton } from '../../ui/button'
import { money } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'

/** Prices are told for so many tokens. */
const MILLION = 1_000_000

const shown = (perToken: number | null) => (perToken === null ? '' : money(perToken * MILLION))

export function Prices({ project }: { project: string }) {
  const client = useQueryClient()
  const { data: prices, error, refetch } = useQuery(pricesQuery(project))
  const changed = () =>
    Promise.all(['prices', 'usage', 'stats'].map((name) => client.invalidateQueries({ queryKey: [name] })))
  const adding = useMutation({
    mutationFn: ({ model, input, output }: { model: string; input: number; output: number }) =>
      setPrice(project, model, { input: input / MILLION, output: output / MILLION }),
    onSuccess: changed,
  })
  const removal = useMutation({ mutationFn: (id: string) => removePrice(project, id), onSuccess: changed })
  const wrong = adding.error ?? removal.error
  return (
    <section className="panel settings-part wide" aria-labelledby="settings-prices">
      <h2 id="settings-prices">Prices of this project</h2>
      <p className="muted">US dollars for a million tokens. Models without one here have the usual price.</p>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : prices === undefined ? (
        <Loading />
      ) : (
        prices.length > 0 && (
          <table className="table settings-prices">
            <thead>
              <tr>
                <th>Model</th>
                <th className="right">Input</th>
                <th className="right">Output</th>
                <th className="right">Read from cache</th>
                <th className="right">Written to cache</th>
                <th>From</th>
                <th>
                  <span className="unseen">Delete</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {prices.map((price) => (
                <tr key={price.id}>
                  <td>{price.llm_id}</td>
                  <td className="right">{shown(price.prompt_token_cost)}</td>
                  <td className="right">{shown(price.completion_token_cost)}</td>
                  <td className="right">{shown(price.cache_read_input_token_cost)}</td>
                  <td className="right">{shown(price.cache_creation_input_token_cost)}</td>
                  <td className="muted">{price.effective_date && <Time at={price.effective_date} />}</td>
                  <td className="right">
                    <IconButton
                      icon="trash"
                      label={`Delete the price of ${price.llm_id}`}
                      disabled={removal.isPending}
                      onClick={() => removal.mutate(price.id!)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      )}
      <form
        className="settings-price"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const [model, input, output] = ['model', 'input', 'output'].map((name) => String(form.get(name)))
          adding.mutate({ model: model!.trim(), input: Number(input), output: Number(output) })
          event.currentTarget.reset()
        }}
      >
        <input
          className="input"
          name="model"
          aria-label="Model"
          placeholder="Model"
          required
          maxLength={512}
        />
        {(['input', 'output'] as const).map((name) => (
          <input
            key={name}
            className="input"
            type="number"
            name={name}
            min={0}
            step="any"
            required
            aria-label={`Price of a million ${name} tokens`}
            placeholder={`$ ${name}`}
          />
        ))}
        <Button type="submit" icon="plus" disabled={adding.isPending}>
          Add the price
        </Button>
      </form>
      {wrong && (
        <p className="bad" role="alert">
          {wrong.message}
        </p>
      )}
    </section>
  )
}
