// How long each test took, out of the reports of vitest (JSON) and pytest (JUnit's XML).
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Every test in the reports of a folder: its file, its name, and its seconds. */
export function timesOf(folder) {
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return name.endsWith('.xml') ? fromJunit(text) : fromVitest(JSON.parse(text))
  })
}

function fromVitest({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(process.cwd(), name),
      test: fullName,
      seconds: (duration ?? 0) / 1000,
    })),
  )
}

/** pytest names the module; setting up a fixture counts for the test that asked first. */
function fromJunit(text) {
  const attribute = (tag, name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return [...text.matchAll(/<testcase [^>]*>/g)].map(([tag]) => ({
    file: `model-server/${attribute(tag, 'classname').replaceAll('.', '/')}.py`,
    test: attribute(tag, 'name').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    seconds: Number(attribute(tag, 'time')),
  }))
}

/** The `count` slowest, slowest first. */
export function slowestOf(times, count) {
  return times.toSorted((a, b) => b.seconds - a.seconds).slice(0, count)
}

/** A Markdown table. */
export function tableOf(times) {
  const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
  const rows = times.map(
    ({ file, test, seconds }) => `| ${seconds.toFixed(1)} | ${cell(file)} | ${cell(test)} |\n`,
  )
  return `| seconds | file | test |\n|---|---|---|\n${rows.join('')}`
}
