// What the reports of vitest (JSON) and pytest (JUnit's XML) say: how long each test took, and which failed with what.
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse, relative } from 'node:path'

/** Every test in the reports of a folder: its group, its file, its name, its seconds, and, if it failed, why. */
export function testsOf(folder) {
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const tests = name.endsWith('.xml') ? fromJunit(text) : fromVitest(JSON.parse(text))
    return tests.map((test) => ({ group: parse(name).name, ...test }))
  })
}

// vitest's own limits of time have, in its reports, the name of the error by which it keeps a stack. Where a client gave up, a
// value that was there says that it timed out.
const TIMED_OUT =
  /^(Error: (STACK_TRACE_ERROR$|(Test|Hook) timed out)|\+ .*\btimed out\b|(Error: )?waited \d+ s for|(\w+\.)*\w*: Timeout \d+ms exceeded|E +TimeoutError: )/m

/** True if the test failed for want of time, and for nothing else. */
export function timedOut({ failure }) {
  return failure !== undefined && TIMED_OUT.test(failure)
}

/** A file that could not be loaded, or whose hooks failed, has a message of its own. */
function fromVitest({ testResults }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(process.cwd(), name)
    const tests = assertionResults.map(({ fullName, duration, failureMessages }) => ({
      file,
      test: fullName,
      seconds: (duration ?? 0) / 1000,
      failure: failureMessages.join('\n') || undefined,
    }))
    return message ? [...tests, { file, test: '(the file)', seconds: 0, failure: message }] : tests
  })
}

/** pytest names the module; setting up a fixture counts for the test that asked first. */
function fromJunit(text) {
  const attribute = (tag, name) => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
  return [...text.matchAll(/(<testcase [^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)].map(([, tag, inner = '']) => ({
    file: `model-server/${attribute(tag, 'classname').replaceAll('.', '/')}.py`,
    test: attribute(tag, 'name'),
    seconds: Number(attribute(tag, 'time')),
    failure:
      plain(/<(?:failure|error) [^>]*>(.*?)<\/(?:failure|error)>/s.exec(inner)?.[1] ?? '') || undefined,
  }))
}

const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", '#10': '\n', amp: '&' }
const plain = (xml) => xml.replaceAll(/&(lt|gt|quot|apos|#10|amp);/g, (_, name) => ENTITIES[name])

/** The `count` slowest, slowest first. */
export function slowestOf(tests, count) {
  return tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
}

/** A Markdown table. */
export function tableOf(tests) {
  const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  const rows = tests.map(
    ({ file, test, seconds }) => `| ${seconds.toFixed(1)} | ${cell(file)} | ${cell(test)} |\n`,
  )
  return `| seconds | file | test |\n|---|---|---|\n${rows.join('')}`
}

const SHOWN_LINES = 12
const LEFT_OUT = '...'
/**
 * The failed tests, each with the end of its report, and of vitest's the beginning, too: pytest's first lines are
 * source, and what a program printed before it failed ends with the reason.
 */
export function failuresOf(tests) {
  return tests
    .filter(({ failure }) => failure !== undefined)
    .map(({ file, test, failure }) => {
      const lines = failure.split('\n').filter((line) => !/^\s*at .*(node_modules|node:)/.test(line))
      const begin = file.endsWith('.py') ? 0 : SHOWN_LINES
      const shown =
        lines.length <= begin + SHOWN_LINES
          ? lines
          : [...lines.slice(0, begin), LEFT_OUT, ...lines.slice(-SHOWN_LINES)]
      return `${file}: ${test}\n${shown.map((line) => `    ${line}`).join('\n')}\n`
    })
    .join('\n')
}
