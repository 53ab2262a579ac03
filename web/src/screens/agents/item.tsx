/** One thing that was said or done in a turn. */

import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Turn } from '../../api/agents'
import { callPath } from '../../app/address'
import { Button } from '../../ui/button'
import { duration } from '../../ui/format'
import { Content } from '../trace/content'
import { Conversation } from '../trace/conversation'
import '../trace/trace.css'
import type { Item } from './chat'

export function ItemOf({ item, project }: { item: Item; project: string }) {
  const { status_code: status, status_message: problem, span_id: span } = item.from
  return (
    <>
      {item.kind === 'message' ? (
        <Conversation messages={[item.message]} />
      ) : item.kind === 'tool' ? (
        <Folded
          title={
            <>
              <code className={status === 'ERROR' ? 'bad' : ''}>{item.name}</code>
              {item.ms !== null && <span className="muted">{duration(item.ms)}</span>}
            </>
          }
          link={span && callPath(project, span)}
        >
          <Content value={{ arguments: item.input, result: item.result }} isRaw />
        </Folded>
      ) : (
        <Folded title={<span className="muted">{item.title}</span>}>
          {item.text !== '' && <pre className="agents-text">{item.text}</pre>}
        </Folded>
      )}
      {status === 'ERROR' && problem && <pre className="agents-error">{problem}</pre>}
      <FeedbackChips feedback={item.from.feedback} />
    </>
  )
}

function Folded({
  title,
  link,
  children,
}: {
  title: ReactNode
  link?: string | null | undefined
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="agents-step">
      <div className="row">
        {children ? (
          <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {title}
          </Button>
        ) : (
          <span className="agents-plain">{title}</span>
        )}
        {link && <Link to={link}>Trace</Link>}
      </div>
      {isOpen && children}
    </div>
  )
}

/** Tags and ratings that people and scorers gave. */
export function FeedbackChips({ feedback }: { feedback: Turn['feedback'] }) {
  const said = (feedback ?? []).flatMap(({ id, scorer_tags: tags, scorer_ratings: ratings }) => [
    ...tags.map((tag) => [`${id} ${tag}`, tag] as const),
    ...Object.entries(ratings).map(([name, value]) => [
      `${id} ${name}`,
      `${name === '_rating_' ? 'rating' : name} ${value}`,
    ]),
  ])
  return said.map(([key, text]) => (
    <span key={key} className="chip accent">
      {text}
    </span>
  ))
}
