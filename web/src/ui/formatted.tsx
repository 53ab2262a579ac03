/**
 * Markdown as React elements. markdown-it reads it (ADR 0024); no HTML is made, so nothing in a text is run. Links lead to
 * http, https and mail only. Images are links: to load one would tell its server who reads the text, and when.
 */
import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, Fragment, memo, type ReactNode } from 'react'
import { Code } from './code'

/** Longer lines are plain text: nobody writes such markdown, and the time of some rules grows faster than their line. */
const LONGEST_LINE = 2_000
/** A text that makes more is shown as it is: the browser has to lay all of them out. */
const MOST_TOKENS = 10_000
/** Stands around the number of a long line while the text is parsed: for private use, so no text has it. */
const MARK = '\uE000'
const LONG = /\uE000(\d+)\uE000/g

const parser = new MarkdownIt({ html: false, breaks: true, linkify: true })
// `main.py` is a file, not a host in Paraguay.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
// As by CommonMark's preset: quotes in quotes take the product of their levels and lines.
parser.set({ maxNesting: 20 })
parser.validateLink = (address) => /^(https?:\/\/|mailto:)/i.test(address)

interface Props {
  text: string
  /** shown instead of a text that is too much */
  fallback: ReactNode
  /** of this project's own documents: lines are wrapped, headings are the page's and have anchors */
  isOurs?: boolean
}

export default memo(function Formatted({ text, fallback, isOurs = false }: Props) {
  if (text.includes(MARK)) return fallback
  const long: string[] = []
  const lines = text.split('\n').map((line) => {
    if (line.length <= LONGEST_LINE) return line
    return `${MARK}${long.push(line) - 1}${MARK}`
  })
  const tokens = parser.parse(lines.join('\n'), {})
  if (countOf(tokens) > MOST_TOKENS) return fallback
  if (isOurs) makeOurs(tokens)
  const whole = (part: string) => part.replace(LONG, (_, at) => long[Number(at)]!)
  return <div className="markdown">{elementsOf(tokens, whole)}</div>
})

/** Lines end where their paragraph does, and each heading has the anchor that links name. */
function makeOurs(tokens: readonly Token[]): void {
  for (const [i, token] of tokens.entries()) {
    for (const child of token.children ?? [])
      if (child.type === 'softbreak') Object.assign(child, { type: 'text', content: ' ' })
    if (token.type !== 'heading_open') continue
    const words = tokens[i + 1]!.content.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    token.attrSet('id', `at-${words.replaceAll(/\s/g, '-')}`)
  }
}

const countOf = (tokens: readonly Token[]) =>
  tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0)

interface Open {
  token: Token | undefined
  inside: ReactNode[]
}

/** @param whole puts the long lines of a text back */
function elementsOf(tokens: readonly Token[], whole: (text: string) => string): ReactNode {
  const open: Open[] = [{ token: undefined, inside: [] }]
  for (const token of tokens) {
    if (token.nesting > 0) open.push({ token, inside: [] })
    else if (token.nesting < 0) {
      const { token: opened, inside } = open.pop()!
      open.at(-1)!.inside.push(elementOf(opened!, inside))
    } else open.at(-1)!.inside.push(leafOf(token, whole, open.at(-2)?.token?.type === 'list_item_open'))
  }
  return createElement(Fragment, null, ...open[0]!.inside)
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '')

const TAGS = new Set(
  'p ul ol li blockquote table thead tbody tr th td em strong s h1 h2 h3 h4 h5 h6 a'.split(' '),
)

function elementOf(token: Token, inside: readonly ReactNode[]): ReactNode {
  // Of a list without blank lines, paragraphs are hidden.
  if (token.hidden || !TAGS.has(token.tag)) return createElement(Fragment, null, ...inside)
  if (token.tag === 'a') return <Outside to={attribute(token, 'href')}>{inside}</Outside>
  const id = token.attrGet('id')
  // The page's own headings are above those of a text.
  const isBelow = /^h\d$/.test(token.tag) && id === null
  const tag = isBelow ? `h${Math.min(6, Number(token.tag[1]) + 2)}` : token.tag
  const align = /^text-align:(left|right|center)$/.exec(attribute(token, 'style'))?.[1]
  const start = token.attrGet('start')
  const props = {
    ...(align !== undefined && { style: { textAlign: align } }),
    ...(start !== null && { start: Number(start) }),
    ...(id !== null && { id }),
  }
  return createElement(tag, props, ...inside)
}

function leafOf(token: Token, whole: (text: string) => string, isItem: boolean): ReactNode {
  switch (token.type) {
    case 'inline':
      return inlineOf(token, whole, isItem)
    case 'fence':
    case 'code_block':
      return <Code text={whole(token.content).replace(/\n$/, '')} language={token.info.trim()} />
    case 'code_inline':
      return <code>{whole(token.content)}</code>
    case 'hr':
      return <hr />
    case 'softbreak':
    case 'hardbreak':
      return <br />
    case 'image':
      return <Outside to={attribute(token, 'src')}>{token.content || attribute(token, 'src')}</Outside>
    default:
      return whole(token.content)
  }
}

const TASK = /^\[([ xX])\] /

function inlineOf({ children }: Token, whole: (text: string) => string, isItem: boolean): ReactNode {
  const [first, ...rest] = children ?? []
  const task = isItem && first?.type === 'text' ? TASK.exec(first.content) : null
  if (task === null) return elementsOf(children ?? [], whole)
  const isDone = task[1] !== ' '
  return (
    <>
      <input type="checkbox" checked={isDone} disabled aria-label={isDone ? 'done' : 'not done'} />{' '}
      {whole(first!.content.slice(task[0].length))}
      {elementsOf(rest, whole)}
    </>
  )
}

function Outside({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noreferrer noopener nofollow">
      {children}
    </a>
  )
}
