/** How often tests with random inputs repeat themselves: `make soak` asks for more. */
const FACTOR = Number(process.env.HEDDLE_TEST_ROUNDS ?? 1)

/** The rounds of a test: `few` by default, else `each` times HEDDLE_TEST_ROUNDS. */
export function rounds(few: number, each = few): number {
  return FACTOR > 1 ? each * FACTOR : few
}
