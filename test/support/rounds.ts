/** How often tests with random inputs repeat themselves: `make soak` asks for more. */
const FACTOR = Number(process.env.HEDDLE_TEST_ROUNDS ?? 1)

/**
 * As many rounds as `make test` takes: each run of it draws other inputs, so few find in time what many find at once.
 * @param each for each of HEDDLE_TEST_ROUNDS, if those are several
 */
export function rounds(few: number, each = few): number {
  return FACTOR > 1 ? each * FACTOR : few
}
