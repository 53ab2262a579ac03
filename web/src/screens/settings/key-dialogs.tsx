/** Dialogs about keys: one is shown once after it was made, changed, replaced by another, or revoked. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, makeOwnKey, revokeKey, revokeOwnKey, rotateKey } from '../../api/keys'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { KeyForm } from './key-form'

export function NewKey({
  title,
  open,
  close,
  isPersonal = false,
}: {
  title: string
  open: boolean
  close: () => void
  isPersonal?: boolean
}) {
  const [made, setMade] = useState('')
  return (
    <Dialog
      title={title}
      open={open}
      close={() => {
        close()
        setMade('')
      }}
    >
      {made === '' ? <KeyForm done={setMade} isPersonal={isPersonal} /> : <Made made={made} />}
    </Dialog>
  )
}

function Made({ made }: { made: string }) {
  return (
    <div className="settings-form">
      <p>Copy the key now. It is not stored, and not shown again.</p>
      <Snippet text={made} />
      <p className="muted">
        Clients of Weave read it from <code>WANDB_API_KEY</code>; others send it as Bearer token.
      </p>
    </div>
  )
}

/** @param props.done also when nothing was done */
export function Change({ changed, done }: { changed: ApiKey | undefined; done: () => void }) {
  return (
    <Dialog title="Change a key" open={changed !== undefined} close={done}>
      {changed && <KeyForm of={changed} isPersonal={changed.is_personal} done={done} />}
    </Dialog>
  )
}

/** @param props.done also when nothing was done */
export function Rotation({ rotated, done }: { rotated: ApiKey | undefined; done: () => void }) {
  return (
    <Dialog title="Rotate a key" open={rotated !== undefined} close={done}>
      {rotated && <Replacement of={rotated} />}
    </Dialog>
  )
}

function Replacement({ of }: { of: ApiKey }) {
  const client = useQueryClient()
  const { label, grants, trace_project, models, addresses } = of
  const rotation = useMutation({
    mutationFn: () => {
      if (!of.is_personal) return rotateKey(of.key_id)
      // It lives as long as the old one was to live.
      const lifetime = of.expires_at && Date.parse(of.expires_at) - Date.parse(of.created_at)
      const expires_at = lifetime ? new Date(Date.now() + lifetime).toISOString() : null
      return makeOwnKey({ label, grants, trace_project, models, addresses, expires_at })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  })
  if (rotation.data) return <Made made={rotation.data.key} />
  return (
    <div className="settings-form">
      <p>
        A new key gets the rights and limits of {of.key_id}. The old one works{' '}
        {of.is_personal ? 'until you revoke it' : 'for another day'}.
      </p>
      {rotation.error && (
        <p className="bad" role="alert">
          {rotation.error.message}
        </p>
      )}
      <Button tone="primary" disabled={rotation.isPending} onClick={() => rotation.mutate()}>
        Make the new key
      </Button>
    </div>
  )
}

export function Revocation({
  ended,
  isOwn = false,
  done,
}: {
  ended: ApiKey | undefined
  isOwn?: boolean
  done: () => void
}) {
  return (
    <Dialog title="Revoke a key" open={ended !== undefined} close={done}>
      {ended && <Ending ended={ended} isOwn={isOwn} done={done} />}
    </Dialog>
  )
}

function Ending({ ended, isOwn, done }: { ended: ApiKey; isOwn: boolean; done: () => void }) {
  const client = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => (isOwn ? revokeOwnKey(ended.key_id) : revokeKey(ended.key_id)),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] })
      done()
    },
  })
  return (
    <div className="settings-form">
      <p>
        Whatever uses the key {ended.key_id} of {ended.username} stops working within 10 seconds, for good.
        {ended.is_current && ' You are signed in with it: you will be signed out.'}
      </p>
      {revocation.error && (
        <p className="bad" role="alert">
          {revocation.error.message}
        </p>
      )}
      <Button tone="danger" disabled={revocation.isPending} onClick={() => revocation.mutate()}>
        Revoke it
      </Button>
    </div>
  )
}
