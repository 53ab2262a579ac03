// Checks the links of the documents: every relative link names a file or folder that git tracks, a link text that is a
// path ends like its target, a linked heading exists, and the list of decisions has each. Links to other sites are not checked.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
const known = new Set(['.'])
for (const file of tracked) for (let at = file; !known.has(at); at = dirname(at)) known.add(at)

/** A document without its code blocks, in which brackets are not links and `#` is not a heading. */
const proseOf = (file) => readFileSync(file, 'utf8').replaceAll(/^ *(```+)[\s\S]*?^ *\1 *$/gm, '')

/** Headings as they are linked to: lower case, words joined by hyphens. */
function anchorsOf(file) {
  return new Set(
    [...proseOf(file).matchAll(/^#+ +(.+)$/gm)].map(([, heading]) =>
      heading
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

const problems = []
const documents = tracked.filter((file) => file.endsWith('.md'))
for (const file of documents) {
  for (const [, label, link] of proseOf(file)
    .replaceAll(/`[^`\n]*`/g, 'code')
    .matchAll(/\[([^[\]]*)\]\(<?([^)\s>]+)>?\)/g)) {
    if (/^[a-z][a-z+.-]*:/i.test(link)) continue
    const [path, anchor] = link.split('#')
    const target = path === '' ? file : normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '')
    if (!known.has(target)) problems.push(`${file}: ${link} is not a tracked file`)
    else if (/^[\w./-]+\.\w+$/.test(label) && !`/${target}`.endsWith(`/${label.replace(/^[./]+/, '')}`))
      problems.push(`${file}: ${label} links to ${target}`)
    else if (anchor && target.endsWith('.md') && !anchorsOf(target).has(anchor.toLowerCase()))
      problems.push(`${file}: ${link} names a heading that ${target} does not have`)
  }
}
/** The list of decisions has each, by its heading. */
const DECISIONS = 'docs/adr'
const listed = readFileSync(`${DECISIONS}/README.md`, 'utf8').split('\n')
for (const file of documents) {
  const [, name, number] = /^docs\/adr\/((\d{4})-.*)$/.exec(file) ?? []
  if (name === undefined || number === '0000') continue
  const title = /^# \d{4} (· .*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
  const line = `- [${number}](${name}) ${title}`
  if (!listed.includes(line)) problems.push(`${DECISIONS}/README.md lacks the line: ${line}`)
}
for (const problem of problems) console.error(problem)
console.log(`${documents.length} documents`)
process.exit(problems.length > 0 ? 1 : 0)
