// vitest's report in JSON, whose failures also say what was expected and what was there: of two objects that differ, its
// own says only how many values are alike.
import { stripVTControlCharacters } from 'node:util'
import { JsonReporter } from 'vitest/node'

export default class extends JsonReporter {
  constructor(options = {}) {
    super(options)
  }

  onTestCaseResult(test) {
    for (const error of test.result().errors ?? []) error.stack = withDifference(error)
  }
}

/** An error's stack, with what differs before the first place. */
function withDifference({ stack = '', diff = '' }) {
  const differing = stripVTControlCharacters(diff)
    .split('\n')
    .filter((line) => /^[-+]/.test(line))
  return differing.length > 0 ? stack.replace(/\n\s+at /, (at) => `\n${differing.join('\n')}${at}`) : stack
}
