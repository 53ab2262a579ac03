// Writes docs/conventions.md from the table of conventions; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import * as table from '../dist/domain/conventions/table.js'

const FILE = 'docs/conventions.md'
const code = (text) => `\`${text}\``
const codes = (texts) => texts.map(code).join(', ')

/** A source's details beside its key and convention. */
function readingOf({
  list,
  unless,
  beside,
  dumpUnless,
  bare,
  unanswered,
  operation,
  uncached,
  uncachedWith,
  text,
  positive,
  unit,
} = {}) {
  return [
    list && 'only a value or a list of messages',
    unless && `not if ${code(unless)} is there, too`,
    beside && `only if ${code(beside)} is there, too`,
    dumpUnless &&
      `not if it is a dump of objects${text ? ' or a plain text' : ''} and ${code(dumpUnless)} is there, too`,
    bare && 'without its key around it',
    unanswered && 'without the answer at its end',
    operation && 'the kind of this operation, see below',
    positive && 'not if it is 0',
    unit && (unit === 'moment' ? 'a point in time, ISO 8601' : `in ${unit}`),
    (uncached || uncachedWith) &&
      `${uncachedWith ? `with ${code(uncachedWith)} ` : ''}and the tokens read from and written to the cache, unless the total is without them`,
  ]
    .filter(Boolean)
    .join('; ')
}

function rowsOf(title, target) {
  return target.map(([key, convention, reading], i) => {
    const [name] = table.CONVENTIONS[convention]
    return `| ${i === 0 ? title : ''} | ${code(key)} | ${name} | ${readingOf(reading)} |`
  })
}

/** The operations that have a kind. */
const operationsOf = (kind) =>
  Object.keys(table.OPERATION_KINDS).filter((operation) => table.OPERATION_KINDS[operation] === kind)

const HEAD = '| | Key | Convention | |\n|---|---|---|---|'
const sectionOf = (targets) =>
  [HEAD, ...Object.entries(targets).flatMap(([name, target]) => rowsOf(code(name), target))].join('\n')

const kinds = new Map(Object.values(table.OPERATION_KINDS).map((kind) => [kind, operationsOf(kind)]))
const { merged, level, errorMessage, conversation, ownThreadId, ...columns } = table.FIELDS

const text = `# Conventions

How the attributes and events of OpenTelemetry spans become calls. Of the keys of one line the first that has a value
wins. Every span is kept whole in \`attributes.otel_span\`, whatever was recognised.

This file is made from \`domain/conventions/table.ts\` by \`make docs\`.

| Convention | Keys from, as far as known |
|---|---|
${Object.values(table.CONVENTIONS)
  .map(([name, version]) => `| ${name} | ${version} |`)
  .join('\n')}

## Inputs and output

An object with the key and its value. Texts that are JSON objects or lists are taken as such; so are JSON strings under
${codes(table.JSON_TEXTS)}, without their quotes.

${sectionOf({ inputs: table.INPUTS, output: table.OUTPUT })}

Where no attribute has them, they are taken from the span's events, and from log records with its trace and span id
(\`/v1/logs\`; they are kept in \`attributes.otel_span.logs\`):

| Event | |
|---|---|
${Object.entries(table.EVENTS)
  .map(
    ([name, { to, role }]) =>
      `| ${code(name)} | a message of ${to}, by ${code(role)} unless it says otherwise |`,
  )
  .join('\n')}
${Object.entries(table.EVENT_FIELDS)
  .map(([name, { inputs = [], output = [] }]) => {
    const parts = [
      inputs.length > 0 && `${codes(inputs)} as inputs`,
      output.length > 0 && `${codes(output)} as output`,
    ]
    return `| ${code(name)} | its ${parts.filter(Boolean).join(', its ')} |`
  })
  .join('\n')}
| any whose name begins with ${codes(table.EVENT_NAMESPACES)} | its ${codes(table.EVENT_VALUES.inputs)} as inputs, its ${codes(table.EVENT_VALUES.output)} as output |

Events that say how a call was judged are feedback on it, of the type ${code('wandb.runnable.')} and their name, with a score, a
label and an explanation in its payload's ${code('output')}:

| Event | Name | Score | Label | Explanation |
|---|---|---|---|---|
${Object.entries(table.JUDGEMENTS)
  .map(
    ([event, { name, score, label, explanation }]) =>
      `| ${code(event)} | ${[name, score, label, explanation].map(codes).join(' | ')} |`,
  )
  .join('\n')}

## Usage

In \`summary.usage\`, by model. ${table.SYNONYMS.map((names) => codes(names)).join(' are one count, as are ')}: the first is kept.

${sectionOf(table.USAGE)}

What the sender says it cost, in dollars, stands beside the counts as it was stated:

${sectionOf(table.COSTS)}

## Attributes

${sectionOf(table.ATTRIBUTES)}

Beside them a call's attributes have every attribute of the span under its own key, but inputs, output and what begins
with ${codes(table.CONVENTION_KEYS)}. Of those, too, what begins with ${codes(table.USER_KEYS)} stays. Where nothing was
recognised, all of them stay.

Kinds of operations, by their name up to the first space:

| Kind | Operations |
|---|---|
${[...kinds].map(([kind, operations]) => `| ${code(kind)} | ${codes(operations)} |`).join('\n')}

Tokens of ${code(table.FETCH)} and of AG2's spans ${code(table.RECORDED)} stay in their summary and don't count: the call that made the answer
has them. Nor do those of Spring AI 1 (spans of ${code(table.SUMMED.scope)} ${table.SUMMED.version}x) that ended with ${codes(table.SUMMED.reasons)}: the next request of
the same loop tells the tokens of all before it.

## Agents

What the agents routes list, group and sum by; here an empty text counts as a value. Where no attribute says it,
the operation and the agent are taken from a span's name, such as \`invoke_agent Weather\`.

${sectionOf(Object.fromEntries(table.AGENT))}

## Where and by what a call was made

Fields of a call. Where a span doesn't say ${codes(table.RESOURCE_LABELS)}, its resource may, by the same keys. The same
keys count in the attributes of calls that SDKs send, nested or with dots.

${sectionOf(table.LABELS)}

The time to the first token, \`summary.weave.time_to_first_token_ms\`:

${sectionOf({ time_to_first_token_ms: table.FIRST_TOKEN })}

Of calls that SDKs send, before those: \`summary.time_to_first_token_ms\`, and \`time_to_first_token\` (seconds) at the end of the output.

## Other fields

${sectionOf(columns)}

- A span without a thread is in that of its nearest ancestor that has one, and a call without \`attributes.user_id\` has that
  of its nearest ancestor; within half a minute if these came in another request. A turn is the root of its thread, if
  ${codes(table.FIELDS.isTurn.map(([key]) => key))} doesn't say otherwise; the spans below have its turn. A thread that is
  only named by ${codes(ownThreadId.map(([key]) => key))} has no turns by itself.
- A span failed if its status says so, or ${codes(level.map(([key]) => key))} is \`ERROR\`. Why: the status, else the last
  event \`exception\` (its message, else its type), else ${codes(errorMessage.map(([key]) => key))}.
- ${codes(merged.map(([key]) => key))} are merged into the attributes.
- A key that is below another one with a value (\`a.b\` beside \`a\`) stays whole at the top level.
`

if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is not what domain/conventions/table.ts says; run \`make docs\``)
  process.exit(1)
}
