/** How often tests with random inputs repeat themselves: `make soak` asks for more. */
const FACTOR = Number(process.env.HEDDLE_TEST_ROUNDS ?? 1)

/** As many rounds as `make test` takes, times HEDDLE_TEST_ROUNDS. */
export function rounds(few: number): number {
  return few * FACTOR
}
