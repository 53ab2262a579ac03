/** One model of the playground, and what it answers. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
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
  /** goes on from the answer, with the results of its tool calls */
  goOn: (answer: Answer, results: readonly string[]) => void
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
            {answer.toolCalls.length > 0 && (
              <ToolCalls
                key={answer.callId}
                answer={answer}
                {...(isOver && answer.error === undefined && { goOn: (results) => goOn(answer, results) })}
              />
            )}
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
          {answer.endedAt !== undefined && (
            <span>
              {answer.error === undefined ? 'done' : 'failed'} after {duration(answer.endedAt)}
            </span>
          )}
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
          {isOver && answer.error === undefined && answer.toolCalls.length === 0 && (
            <Button tone="quiet" onClick={() => goOn(answer, [])}>
              Go on from it
            </Button>
          )}
          {answer.text !== '' && <Copy text={answer.text} label="Copy the answer" />}
        </footer>
      )}
    </section>
  )
}

/** What the model wants to call. @param props.goOn asks it again, with results that a person wrote */
function ToolCalls({ answer, goOn }: { answer: Answer; goOn?: (results: readonly string[]) => void }) {
  const [results, setResults] = useState<readonly string[]>([])
  const texts = answer.toolCalls.map((_, i) => results[i] ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        goOn?.(texts)
      }}
    >
      {answer.toolCalls.map((call, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place
        <div key={i} className="playground-tool">
          <code>{call.name}</code>
          <pre>{call.arguments}</pre>
          {goOn && (
            <textarea
              className="input mono"
              rows={2}
              aria-label={`Result of ${call.name}`}
              placeholder="What the tool answers"
              value={texts[i]!}
              onChange={({ target }) => setResults(texts.with(i, target.value))}
            />
          )}
        </div>
      ))}
      {goOn && (
        <p>
          <Button type="submit" disabled={texts.includes('')}>
            Go on with the results
          </Button>
        </p>
      )}
    </form>
  )
}
