/**
 * Markdown of callers as elements: the common part of it (headings, lists, quotes, code, tables, emphasis, links). Makes
 * no HTML from text, so nothing in it is run. Links lead to http and https only.
 */
import { Fragment, type ReactNode } from 'react'
import { Copy } from './copy'
import './markdown.css'

/** Longer texts are shown as they are. */
const MOST = 100_000

export function Markdown({ text }: { text: string }) {
  if (text.length > MOST) return <pre className="markdown">{text}</pre>
  return <div className="markdown">{blocks(text.split('\n'))}</div>
}

function blocks(lines: readonly string[]): ReactNode[] {
  const made: ReactNode[] = []
  let at = 0
  const takeWhile = (belongs: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && belongs(lines[at]!)) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at]!
    const key = at
    const fence = /^\s*(```|~~~)\s*([\w+-]*)/.exec(line)
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    if (fence) {
      at++
      const code = takeWhile((one) => !one.trimStart().startsWith(fence[1]!)).join('\n')
      at++
      made.push(
        <div className="snippet" key={key}>
          <pre>
            <code>{code}</code>
          </pre>
          <Copy text={code} />
        </div>,
      )
    } else if (heading) {
      at++
      const Tag = `h${Math.min(6, heading[1]!.length + 2)}` as 'h3'
      made.push(<Tag key={key}>{inline(heading[2]!)}</Tag>)
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      at++
      made.push(<hr key={key} />)
    } else if (LIST.test(line)) {
      const isOrdered = /^\s*\d/.test(line)
      const items = takeWhile((one) => LIST.test(one) || (/^\s+\S/.test(one) && !BLOCK.test(one)))
      const Tag = isOrdered ? 'ol' : 'ul'
      made.push(<Tag key={key}>{itemsOf(items)}</Tag>)
    } else if (/^\s*>/.test(line)) {
      const inside = takeWhile((one) => /^\s*>/.test(one)).map((one) => one.replace(/^\s*> ?/, ''))
      // One more `>` a level: callers could nest them without end.
      made.push(
        <blockquote key={key}>
          {inside.some((one) => one.startsWith('>')) ? inside.join('\n') : blocks(inside)}
        </blockquote>,
      )
    } else if (
      line.includes('|') &&
      /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(lines[at + 1] ?? '')
    ) {
      const [head, , ...rows] = takeWhile((one) => one.includes('|'))
      made.push(table(key, cellsOf(head!), rows.map(cellsOf)))
    } else if (line.trim() === '') at++
    else {
      at++
      const rest = takeWhile((one) => one.trim() !== '' && !BLOCK.test(one) && !LIST.test(one))
      made.push(<p key={key}>{withBreaks([line, ...rest])}</p>)
    }
  }
  return made
}

const LIST = /^\s*([-*+]|\d{1,9}[.)])\s+/
const BLOCK = /^\s*(```|~~~|#{1,6}\s|>)/

function itemsOf(lines: readonly string[]): ReactNode[] {
  const items: { depth: number; lines: string[] }[] = []
  for (const line of lines) {
    if (LIST.test(line))
      items.push({
        depth: Math.min(6, Math.floor(/^\s*/.exec(line)![0].length / 2)),
        lines: [line.replace(LIST, '')],
      })
    else items.at(-1)?.lines.push(line.trim())
  }
  return items.map(({ depth, lines: own }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
    <li key={i} style={{ marginLeft: depth * 16 }}>
      {withBreaks(own)}
    </li>
  ))
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

function table(key: number, head: string[], rows: string[][]): ReactNode {
  const cells = (row: string[], Tag: 'th' | 'td') =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
    row.map((cell, i) => <Tag key={i}>{inline(cell)}</Tag>)
  return (
    <table key={key}>
      <thead>
        <tr>{cells(head, 'th')}</tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <tr key={i}>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  )
}

function withBreaks(lines: readonly string[]): ReactNode {
  return lines.map((line, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <Fragment key={i}>
      {i > 0 && <br />}
      {inline(line)}
    </Fragment>
  ))
}

/** Each alternative ends at the first thing that ends it, so the time is linear. */
const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|(?<![\w*])\*([^*\s][^*]*)\*|(?<!\w)_([^_\s][^_]*)_(?!\w)|~~([^~]+)~~|\[([^\][]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()"]+)/g

function inline(text: string): ReactNode[] {
  const made: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) made.push(text.slice(from, match.index))
    from = match.index + match[0].length
    const [whole, code, strong, strong2, soft, soft2, gone, label, target, bare] = match
    const key = match.index
    if (code !== undefined) made.push(<code key={key}>{code}</code>)
    else if (strong ?? strong2) made.push(<strong key={key}>{strong ?? strong2}</strong>)
    else if (soft ?? soft2) made.push(<em key={key}>{soft ?? soft2}</em>)
    else if (gone !== undefined) made.push(<s key={key}>{gone}</s>)
    else {
      const address = target ?? bare!
      made.push(
        /^https?:\/\//i.test(address) ? <Outside key={key} to={address} label={label ?? address} /> : whole,
      )
    }
  }
  if (from < text.length) made.push(text.slice(from))
  return made
}

function Outside({ to, label }: { to: string; label: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer noopener nofollow">
      {label}
    </a>
  )
}
