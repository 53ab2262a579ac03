/** Whether an outline's tokens and costs are those of the stand-in's answers, each once. Knows the text of outlines. */

/** What an answer uses. */
const ANSWER = { input: 20, output: 7, cached: 4 }
/** What a million tokens cost: read, read from the cache, written. */
const PRICES = {
  'gpt-4o': [2.5, 1.25, 10],
  'claude-sonnet-4-5': [3, 0.3, 15],
  'gemini-2.5-flash': [0.3, 0.03, 2.5],
} as const
const MODEL = /gpt-4o|claude-sonnet-4-5|gemini-2\.5-flash/
/** A span that says the usage of another one once more, and does not count. */
const REPEATED = /^\s*record_usage_model_call /
const USED = /(∑)?(?: of usage)? (\d+)\+(\d+)(?: \((\d+) cached\))?(?: \$([\d.]+))?/g

/** The counts that aren't those of whole answers at their price, and the totals that aren't what their calls used. */
export function wrongSums(outline: string): string[] {
  const prices = PRICES[(MODEL.exec(outline)?.[0] ?? 'gpt-4o') as keyof typeof PRICES]
  return outline.split(/\n(?=\S)/).flatMap((tree) => {
    const lines = tree.split('\n').filter((line) => !REPEATED.test(line))
    const [root, ...below] = lines.map(usesIn)
    const of = below.flat()
    const single = of.filter(({ answers }) => answers === 1).length
    // A call that says what all below it used is not added to what those say.
    const total = Math.max(single, ...(of.length > 0 ? of : root!).map(({ answers }) => answers))
    return [...root!, ...of]
      .filter((use) => !isWhole(use, prices) || (use.isTotal && use.answers !== total))
      .map(({ text }) => text)
  })
}

type Use = ReturnType<typeof usesIn>[number]

function usesIn(line: string) {
  return [...line.matchAll(USED)].map(([text, sum, input, output, cached = '0', cost]) => ({
    ...{ text, isTotal: sum !== undefined, answers: Number(input) / ANSWER.input },
    ...{ input: Number(input), output: Number(output), cached: Number(cached) },
    cost: cost === undefined ? undefined : Number(cost),
  }))
}

function isWhole({ answers, input, output, cached, cost }: Use, prices: readonly [number, number, number]) {
  const price = ((input - cached) * prices[0] + cached * prices[1] + output * prices[2]) / 1e6
  return (
    output === answers * ANSWER.output &&
    (cached === 0 || cached === answers * ANSWER.cached) &&
    (cost === undefined || Math.abs(cost - price) < 1e-9)
  )
}
