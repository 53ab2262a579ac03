/** A prompt's messages, to be saved as its next version. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../../api/client'
import type { Obj } from '../../api/objects'
import { objectPath } from '../../app/address'
import { Button } from '../../ui/button'
import { type DraftMessage, EMPTY, problemOf, promptMessages } from '../playground/draft'
import { Messages } from '../playground/messages'
import '../playground/playground.css'
import { changedPrompt } from './changed'

/** @param props.newest the digest of the version that is the newest as far as the page knows */
export function Edit({ object, newest }: { object: Obj; newest: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [messages, setMessages] = useState<DraftMessage[]>(() => promptMessages(object.val) ?? [])
  const save = useMutation({
    mutationFn: async () => {
      const { project_id, object_id } = object
      const val = changedPrompt(object.val, messages)
      // Refused if somebody has saved another version meanwhile.
      const { digest } = await post('/obj/create', {
        obj: { project_id, object_id, val, base_digest: newest },
      })
      await client.invalidateQueries({ queryKey: ['objects', project_id] })
      await navigate({ to: objectPath({ ...object, digest }), search: { tab: 'text' } })
    },
  })
  const problem = problemOf({ ...EMPTY, messages })
  return (
    <form
      className="objects-edit"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Messages messages={messages} change={setMessages} />
      <p className="row">
        <Button type="submit" tone="primary" disabled={save.isPending || problem !== undefined}>
          Save as the next version
        </Button>
        {problem && <span className="muted">{problem}</span>}
        {save.error && (
          <span className="bad" role="alert">
            {save.error.message}
          </span>
        )}
      </p>
    </form>
  )
}
