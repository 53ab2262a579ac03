/** How far two judges agree beyond chance, over what both judged. Pure. */

/** How often the first said one thing and the second another. */
export interface Cell {
  first: string
  second: string
  count: number
}

export interface Agreement {
  count: number
  /** of those, how many both judged the same */
  agreed: number
  /** Cohen's κ: 1 is agreement, 0 is chance; null: there is nothing, or neither ever said anything else */
  kappa: number | null
}

/** J. Cohen, A coefficient of agreement for nominal scales, 1960. */
export function agreementOf(cells: readonly Cell[]): Agreement {
  const count = sum(cells)
  const agreed = sum(cells.filter(({ first, second }) => first === second))
  if (count === 0) return { count, agreed, kappa: null }
  const labels = new Set(cells.flatMap(({ first, second }) => [first, second]))
  const chance = [...labels].reduce((all, label) => {
    const said = (who: 'first' | 'second') => sum(cells.filter((cell) => cell[who] === label)) / count
    return all + said('first') * said('second')
  }, 0)
  return { count, agreed, kappa: chance === 1 ? null : (agreed / count - chance) / (1 - chance) }
}

const sum = (cells: readonly Cell[]) => cells.reduce((all, { count }) => all + count, 0)
