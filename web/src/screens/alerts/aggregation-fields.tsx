/** What is made of many values: their sum, average or others, or a percentile. */
import { AGGREGATIONS, type Aggregation, type Draft, type OnCalls, type OnFeedback } from './draft'

const PERCENTILE = 95

interface Props {
  source: OnCalls | OnFeedback
  /** those that it has */
  among: readonly Aggregation[]
  change: (more: Pick<Draft, 'source'>) => void
}

export function AggregationFields({ source, among, change }: Props) {
  const { aggregation, percentile } = source
  const options = among.includes(aggregation) ? among : [...among, aggregation]
  const choose = (chosen: string) =>
    change({
      source:
        chosen === 'percentile'
          ? { ...source, percentile: PERCENTILE }
          : { ...source, aggregation: chosen as Aggregation, percentile: null },
    })
  return (
    <>
      <label>
        Aggregated as
        <select
          className="select"
          value={percentile === null ? aggregation : 'percentile'}
          onChange={({ target }) => choose(target.value)}
        >
          {options.map((one) => (
            <option key={one} value={one}>
              {AGGREGATIONS[one]}
            </option>
          ))}
          <option value="percentile">percentile</option>
        </select>
      </label>
      {percentile !== null && (
        <label>
          Percentile
          <input
            className="input"
            type="number"
            min={0}
            max={100}
            step="any"
            required
            value={percentile}
            onChange={({ target }) => change({ source: { ...source, percentile: Number(target.value) } })}
          />
        </label>
      )}
    </>
  )
}
