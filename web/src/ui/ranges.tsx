/** Lengths of time until now, and a field to choose one. */

/** ms of each length. */
export const RANGES: Readonly<Record<string, number>> = {
  '15m': 900_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
}

export function RangeSelect({ range, choose }: { range: string; choose: (range: string) => void }) {
  return (
    <select
      className="select"
      aria-label="Time"
      value={range}
      onChange={({ target }) => choose(target.value)}
    >
      {Object.keys(RANGES).map((one) => (
        <option key={one} value={one}>
          last {one}
        </option>
      ))}
    </select>
  )
}
