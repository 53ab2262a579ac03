/** The notification channels of a project: made, tested and deleted. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Channel, channelsQuery, deleteChannel, testChannel } from '../../api/alerts'
import { useShortcuts } from '../../app/keys'
import { Button, IconButton } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { counted } from '../../ui/format'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import './alerts.css'
import { ChannelForm, TYPES } from './channel-form'

export function Channels({ project }: { project: string }) {
  const client = useQueryClient()
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState('')
  const [ending, setEnding] = useState('')
  const query = useQuery(channelsQuery(project))
  const removal = useMutation({
    mutationFn: (name: string) => deleteChannel(project, name),
    onSuccess: () => client.invalidateQueries({ queryKey: ['channels', project] }),
    onSettled: () => setEnding(''),
  })
  useShortcuts([{ keys: 'n', what: 'Make a channel', run: () => setNew(true) }])
  const close = () => {
    setNew(false)
    setSecret('')
  }
  return (
    <>
      <div className="row alerts-bar">
        {query.data && <span className="muted">{counted(query.data.length, 'channel')}</span>}
        {removal.error && (
          <span className="bad" role="alert">
            {removal.error.message}
          </span>
        )}
        <span className="grow" />
        <Button icon="plus" tone="primary" onClick={() => setNew(true)}>
          New channel
        </Button>
      </div>
      <TableOf
        label="Channels"
        query={query}
        rows={query.data}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Type', cell: ({ type }) => TYPES[type] },
          { title: 'Sends to', cell: ({ target }) => target },
          timeColumn<Channel>('Saved', ({ created_at: at }) => at, { isWide: true }),
          { title: 'Test', cell: ({ name }) => <Test project={project} channel={name} /> },
          {
            title: <span className="unseen">Delete</span>,
            isNumber: true,
            cell: ({ name }) => (
              <IconButton icon="trash" label={`Delete ${name}`} onClick={() => setEnding(name)} />
            ),
          },
        ]}
        empty={
          <Empty title="No channel yet">
            <p>Alerts notify people by channels: a webhook, Slack, PagerDuty, e-mail or GitHub.</p>
          </Empty>
        }
      />
      <Dialog title="New channel" open={isNew} close={close}>
        {secret === '' ? (
          <ChannelForm project={project} done={(made) => (made === null ? close() : setSecret(made))} />
        ) : (
          <Made secret={secret} />
        )}
      </Dialog>
      <Dialog title="Delete a channel" open={ending !== ''} close={() => setEnding('')}>
        <div className="alerts-form">
          <p>{ending} sends nothing any more, nor what waits. Alerts that name it have one channel less.</p>
          <Button tone="danger" disabled={removal.isPending} onClick={() => removal.mutate(ending)}>
            Delete it
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function Made({ secret }: { secret: string }) {
  return (
    <div className="alerts-form">
      <p>Copy the signing secret now. It is not shown again.</p>
      <Snippet text={secret} />
      <p className="muted">
        The receiver checks by it that a message is of this service, as Standard Webhooks say:{' '}
        <code>webhook-signature</code> signs <code>webhook-id</code>, <code>webhook-timestamp</code> and the
        body.
      </p>
    </div>
  )
}

function Test({ project, channel }: { project: string; channel: string }) {
  const test = useMutation({ mutationFn: () => testChannel(project, channel) })
  const problem = test.error?.message ?? test.data?.problem
  return (
    <span className="row">
      <Button
        disabled={test.isPending}
        aria-label={`Send a test by ${channel}`}
        onClick={() => test.mutate()}
      >
        Send a test
      </Button>
      {problem ? (
        <span className="bad" role="alert">
          {problem}
        </span>
      ) : (
        <span className="good" role="status">
          {test.data?.delivered && 'Delivered'}
        </span>
      )}
    </span>
  )
}
