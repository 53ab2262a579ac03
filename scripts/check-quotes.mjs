// Checks what the documents quote of other files. A line of a log (a text in backquotes beside the words "in the log", or in
// the table of docs/operate/running.md) is one that the sources write; `…` stands for anything. A code block below
// `<!-- file: PATH -->` is that file: `--write` brings it up to date. A page of a framework says where its key comes from.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
const documents = tracked.filter((file) => file.endsWith('.md') && !/^(docs\/adr|bench)\//.test(file))
const sources = tracked.filter(
  (file) => /\.(ts|py)$/.test(file) && !/\.test\.ts$|(^|\/)(test|testing|tests|bench|web)\//.test(file),
)
const written = sources.map((file) => readFileSync(file, 'utf8')).join('\n')

/** Of Redis and Kubernetes, which write them themselves. */
const OF_OTHERS = ['OOM command not allowed']

/** A quoted text as the source of a program has it: what is filled in is `${…}`, `{…}` or `%s` there. */
function inSource(quoted) {
  const pieces = quoted.split('…').map((piece) => piece.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(pieces.join('[^\\n]{0,200}?'))
}

const problems = []
for (const file of documents) {
  const text = readFileSync(file, 'utf8')
  const quotes = [
    ...text.matchAll(/`([^`\n]+)` in the logs?\b/g),
    ...text.matchAll(/[Ll]og (?:line|says|has) `([^`\n]+)`/g),
    // The first cell of a row: a sentence that somebody sees, of a log or an error.
    ...(file === 'docs/operate/running.md' ? text.matchAll(/^\| `([a-zA-Z][^`\n]* [^`\n]*)`[^|]*\|/gm) : []),
  ]
  for (const [, quoted] of quotes)
    if (!OF_OTHERS.includes(quoted) && !/^[\w.]+$/.test(quoted) && !inSource(quoted).test(written))
      problems.push(`${file}: no source writes "${quoted}"`)

  if (
    file.startsWith('docs/frameworks/') &&
    text.includes('$WANDB_API_KEY') &&
    !text.includes('The calls are then at')
  )
    problems.push(`${file} must say what WANDB_API_KEY is, and where the calls are then`)

  const current = text.replaceAll(
    /(<!-- file: (\S+) -->\n+```\w*\n)[\s\S]*?(^```$)/gm,
    (_, opening, path, closing) => opening + readFileSync(path, 'utf8') + closing,
  )
  if (current === text) continue
  if (process.argv.includes('--write')) writeFileSync(file, current)
  else problems.push(`${file} quotes files as they were; run make docs`)
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
