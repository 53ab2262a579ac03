/** A project's own prices of models, which go before the usual ones. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMay } from '../../api/session'
import { defaultPricesQuery, type Price, pricesQuery, removePrice, setPrice } from '../../api/settings'
import { Button, IconButton } from '../../ui/button'
import { count, money } from '../../ui/format'
import { type Column, TableOf } from '../../ui/table'
import { Time } from '../../ui/time'

/** Prices are per so many tokens. */
const MILLION = 1_000_000

const price = (title: string, perToken: (price: Price) => number | null): Column<Price> => ({
  title,
  isNumber: true,
  cell: (one) => {
    const dollars = perToken(one)
    return dollars === null ? '' : money(dollars * MILLION)
  },
})

export function Prices({ project }: { project: string }) {
  const client = useQueryClient()
  const mayChange = useMay('write', project, 'Costs')
  const query = useQuery(pricesQuery(project))
  const usual = useQuery(defaultPricesQuery(project)).data
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
      <p className="muted">
        US dollars for a million tokens. Models without one here have the usual price
        {usual?.as_of && ` of ${usual.as_of}, if they are among its ${count(usual.models)} models`}.
      </p>
      {usual?.is_old && (
        <p className="bad" role="alert">
          The usual prices are old. Update Heddle, or load newer ones with <code>heddle costs load</code>.
        </p>
      )}
      <TableOf
        query={query}
        rows={query.data}
        keyOf={({ id }) => id!}
        empty={null}
        columns={[
          { title: 'Model', cell: ({ llm_id: model }) => model },
          price('Input', (one) => one.prompt_token_cost),
          price('Output', (one) => one.completion_token_cost),
          { ...price('Read from cache', (one) => one.cache_read_input_token_cost), isWide: true },
          { ...price('Written to cache', (one) => one.cache_creation_input_token_cost), isWide: true },
          {
            title: 'From',
            isMuted: true,
            isWide: true,
            cell: ({ effective_date: at }) => at && <Time at={at} />,
          },
          {
            title: <span className="unseen">Delete</span>,
            isNumber: true,
            cell: ({ id, llm_id: model }) =>
              mayChange && (
                <IconButton
                  icon="trash"
                  label={`Delete the price of ${model}`}
                  disabled={removal.isPending}
                  onClick={() => removal.mutate(id!)}
                />
              ),
          },
        ]}
      />
      {mayChange && (
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
      )}
      {wrong && (
        <p className="bad" role="alert">
          {wrong.message}
        </p>
      )}
    </section>
  )
}
