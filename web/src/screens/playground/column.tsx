/** One model of the playground, and what it answers. */

import { Link } from '@tanstack/react-router'
import { callPath } from '../../app/address'
import { Button, IconButton } from '../../ui/button'
import { Copy } from '../../ui/copy'
import { count, duration } from '../../ui/format'
import { Markdown } from '../../ui/markdown'
import type { Answer } from './answer'

interface Props {
  project: string
  number: number
  model: string
  setModel: (model: string) => void
  /** absent: it is the only one */
  remove: (() => void) | undefined
  answer: Answer | undefined
  /** goes on from the answer */
  goOn: (answer: Answer) => void
}

export const MODELS_LIST = 'playground-models'

export function Column({ project, number, model, setModel, remove, answer, goOn }: Props) {
  const isOver = answer?.endedAt !== undefined
  return (
    <section className="playground-column panel" aria-label={`Answer ${number}`}>
      <div className="row">
        <input
          className="input grow"
          list={MODELS_LIST}
          aria-label={`Model ${number}`}
          placeholder="Choose or name a model"
          spellCheck={false}
          value={model}
          onChange={(event) => setModel(event.target.value)}
        />
        {remove && <IconButton icon="close" label={`Remove model ${number}`} onClick={remove} />}
      </div>
      <div className="playground-answer" aria-busy={answer !== undefined && !isOver} tabIndex={0}>
        {answer === undefined ? (
          <p className="muted">Its answer comes here.</p>
        ) : (
          <>
            {answer.reasoning !== '' && (
              <details>
                <summary>Reasoning</summary>
                <Markdown text={answer.reasoning} />
              </details>
            )}
            {answer.text !== '' && <Markdown text={answer.text} />}
            {answer.toolCalls.map((call, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place
              <div key={i} className="playground-tool">
                <code>{call.name}</code>
                <pre>{call.arguments}</pre>
              </div>
            ))}
            {answer.error !== undefined && (
              <p className="bad" role="alert">
                {answer.error}
              </p>
            )}
            {!isOver && <span className="spinner" role="status" aria-label="The model answers" />}
          </>
        )}
      </div>
      {answer !== undefined && (
        <footer className="row playground-facts">
          {answer.firstAt !== undefined && <span>first after {duration(answer.firstAt)}</span>}
          {answer.endedAt !== undefined && <span>done after {duration(answer.endedAt)}</span>}
          {answer.tokens && (
            <span>
              {count(answer.tokens.input)} in, {count(answer.tokens.output)} out
            </span>
          )}
          {answer.finish !== undefined && answer.finish !== 'stop' && (
            <span className="chip">{answer.finish}</span>
          )}
          <span className="grow" />
          {isOver && answer.callId !== undefined && (
            <Link to={callPath(project, answer.callId)}>Its call</Link>
          )}
          {isOver && answer.error === undefined && (
            <Button tone="quiet" onClick={() => goOn(answer)}>
              Go on from it
            </Button>
          )}
          {answer.text !== '' && <Copy text={answer.text} label="Copy the answer" />}
        </footer>
      )}
    </section>
  )
}
