/** Feedback on a call: what was given, and how to give some. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { equals, post } from '../../api/client'
import { jsonText } from '../../api/json'
import { sessionQuery } from '../../api/session'
import { Button, IconButton } from '../../ui/button'
import { emptyAfter, textIn } from '../../ui/form-text'
import { Failed } from '../../ui/states'
import { Time } from '../../ui/time'
import { feedbackQuery, type Feedback as Given, refOf } from './data'
import { NoteField } from './note-field'

const REACTIONS = ['👍', '👎', '🎉', '🤔']

export function Feedback({ project, callId }: { project: string; callId: string }) {
  const client = useQueryClient()
  const me = useQuery(sessionQuery).data?.username ?? ''
  const query = feedbackQuery(project, callId)
  const { data = [], error } = useQuery(query)
  const giving = useMutation({
    mutationFn: ({ type, payload }: { type: string; payload: Record<string, unknown> }) =>
      post('/feedback/create', {
        project_id: project,
        weave_ref: refOf(project, callId),
        feedback_type: type,
        payload,
        creator: me,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  const withdrawing = useMutation({
    mutationFn: (given: readonly Given[]) => withdraw(project, given),
    onSuccess: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  const mine = data.filter(({ creator }) => creator === me)
  const react = (emoji: string) => {
    const before = mine.filter(({ payload }) => payload.emoji === emoji)
    if (before.length > 0) withdrawing.mutate(before)
    else giving.mutate({ type: 'wandb.reaction.1', payload: { emoji } })
  }
  const note = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = textIn(form, 'note')
    const onSuccess = () => emptyAfter(form, 'note', text)
    if (text !== '') giving.mutate({ type: 'wandb.note.1', payload: { note: text } }, { onSuccess })
  }
  const wrong = giving.error ?? withdrawing.error
  if (error) return <Failed error={error} />
  return (
    <div className="feedback">
      <div className="row">
        {REACTIONS.map((emoji) => (
          <Button
            key={emoji}
            onClick={() => react(emoji)}
            aria-pressed={mine.some(({ payload }) => payload.emoji === emoji)}
            disabled={giving.isPending || withdrawing.isPending}
            aria-label={`React with ${emoji}`}
          >
            {emoji}
          </Button>
        ))}
      </div>
      <form className="row" onSubmit={note}>
        <NoteField project={project} />
        <Button type="submit">Add</Button>
      </form>
      {wrong && (
        <p className="bad" role="alert">
          {wrong.message}
        </p>
      )}
      <FeedbackList
        given={data}
        action={(one) =>
          mine.includes(one) && (
            <IconButton icon="close" label="Withdraw" onClick={() => withdrawing.mutate([one])} />
          )
        }
      />
    </div>
  )
}

/** What was given. @param props.action what can be done with it */
export function FeedbackList({
  given,
  action = () => null,
}: {
  given: readonly Given[]
  action?: (one: Given) => ReactNode
}) {
  return (
    <ul>
      {given.map((one) => (
        <li key={one.id}>
          <span className="grow">{textOf(one)}</span>
          <span className="muted">
            {one.creator ?? 'somebody'} <Time at={one.created_at} relative />
          </span>
          {action(one)}
        </li>
      ))}
    </ul>
  )
}

const withdraw = (project: string, given: readonly Given[]) =>
  post('/feedback/purge', {
    project_id: project,
    query: { $expr: { $or: given.map(({ id }) => equals('id', id)) } },
  })

function textOf({ feedback_type: type, payload }: Given): string {
  if (typeof payload.emoji === 'string') return payload.emoji
  if (typeof payload.note === 'string') return payload.note
  const value = payload.value ?? payload.output ?? payload
  return `${type.split('.').slice(2).join('.') || type}: ${jsonText(value)}`
}
