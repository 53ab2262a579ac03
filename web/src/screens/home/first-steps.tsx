/** What to paste into a client, while a project is empty: complete, with a key that is made for it. */

import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { makeKey } from '../../api/keys'
import { useMay } from '../../api/session'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Tabs } from '../../ui/tabs'
import './first-steps.css'
import { CLIENTS, NO_KEY } from './lines'

export function FirstSteps({ project }: { project: string }) {
  const [chosen, setChosen] = useState(0)
  const making = useMutation({
    mutationFn: () => makeKey({ label: 'first steps', grants: [{ scope: project, right: 'write' }] }),
  })
  const key = making.data?.key ?? NO_KEY
  const mayMake = useMay('admin', project)
  const { note, steps } = CLIENTS[chosen]!
  const shown = useMemo(() => steps({ origin: location.origin, project, key }), [steps, project, key])
  return (
    <div className="first-steps">
      <h1>Send your first trace</h1>
      <Tabs tabs={CLIENTS.map(({ name }, i) => [i, name] as const)} chosen={chosen} choose={setChosen} />
      {note && <p className="muted">{note}</p>}
      {shown.map(({ title, text }) => (
        <section key={title}>
          <h3>{title}</h3>
          {!text.includes(NO_KEY) ? (
            <Snippet text={text} />
          ) : mayMake ? (
            <div className="snippet">
              <pre>{text}</pre>
              <Button tone="primary" disabled={making.isPending} onClick={() => making.mutate()}>
                Make a key for these lines
              </Button>
            </div>
          ) : (
            <>
              <Snippet text={text} />
              <p className="muted">
                Put your key in place of <code>{NO_KEY}</code>.
              </p>
            </>
          )}
        </section>
      ))}
      {making.error && (
        <p className="bad" role="alert">
          {making.error.message}
        </p>
      )}
      <p className="muted" role="status">
        <span className="spinner" aria-hidden /> Waiting for a trace in <code>{project}</code>. This page
        shows it when it arrives.
        {making.data && ' The key in the lines may write to this project; it is not shown again.'}
      </p>
    </div>
  )
}
