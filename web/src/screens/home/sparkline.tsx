/** A small chart of columns, for one line of a table. */
const WIDTH = 120
const HEIGHT = 22

export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length)
  return (
    <svg
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`at most ${most}`}
    >
      {values.map((value, i) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={i}
            x={i * step}
            y={HEIGHT - height}
            width={Math.max(1, step - 1)}
            height={height}
            className={value === 0 ? 'none' : ''}
          />
        )
      })}
    </svg>
  )
}
