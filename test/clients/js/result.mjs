// Hands a program's findings to the test: one line of JSON on standard output.
export function report(found) {
  process.stdout.write(`RESULT ${JSON.stringify(found)}\n`)
}
