/** What can be done with the calls that are chosen in the table. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../api/session'
import { Button } from '../../ui/button'
import { downloadBlob } from '../../ui/export'
import { count, counted } from '../../ui/format'
import { AddToDataset, AddToQueue } from './add-to'
import { type Chosen, deleteCalls, linesOf } from './chosen'
import { CompareCalls } from './compare'

interface Props {
  chosen: Chosen
  /** all that are in the table are chosen, and there are more that match */
  more: number | undefined
  chooseAll: () => void
  /** called when the calls are gone */
  gone: () => void
}

export function Bulk({ chosen, more, chooseAll, gone }: Props) {
  const { project, ids } = chosen
  const client = useQueryClient()
  const mayMakeTables = useMay('write', project, 'Tables')
  const mayMakeObjects = useMay('write', project, 'Objects')
  const mayFillQueues = useMay('write', project, 'Annotation queues')
  const mayDelete = useMay('write', project, 'Calls')
  const [dialog, setDialog] = useState<'dataset' | 'queue' | 'comparison'>()
  const [deleted, setDeleted] = useState(0)
  const close = () => setDialog(undefined)
  const removal = useMutation({
    mutationFn: () => deleteCalls(chosen, setDeleted),
    onSettled: () => client.invalidateQueries({ queryKey: ['calls', project] }),
    onSuccess: gone,
  })
  const saving = useMutation({
    mutationFn: async () => downloadBlob(`${project.split('/')[1]}.jsonl`, await linesOf(chosen)),
  })
  const remove = () => {
    if (confirm(`Delete ${counted(chosen.count, 'call')} and all below them, for good?`)) removal.mutate()
  }
  const wrong = removal.error ?? saving.error
  return (
    <>
      <span>{count(chosen.count)} selected</span>
      {more !== undefined && (
        <Button tone="quiet" onClick={chooseAll}>
          Select all {count(more)} that match
        </Button>
      )}
      {mayMakeTables && mayMakeObjects && (
        <Button icon="datasets" onClick={() => setDialog('dataset')}>
          Add to dataset
        </Button>
      )}
      {mayFillQueues && (
        <Button icon="annotation" onClick={() => setDialog('queue')}>
          Add to queue
        </Button>
      )}
      {ids?.length === 2 && (
        <Button icon="evaluations" onClick={() => setDialog('comparison')}>
          Compare
        </Button>
      )}
      <Button icon="download" onClick={() => saving.mutate()} disabled={saving.isPending}>
        {saving.isPending ? 'Exporting…' : 'Export'}
      </Button>
      {mayDelete && (
        <Button icon="trash" tone="danger" onClick={remove} disabled={removal.isPending}>
          {removal.isPending && deleted > 0 ? `${count(deleted)} deleted…` : 'Delete'}
        </Button>
      )}
      {wrong && (
        <span className="bad" role="alert">
          {wrong.message}
        </span>
      )}
      <AddToDataset chosen={chosen} open={dialog === 'dataset'} close={close} />
      <AddToQueue chosen={chosen} open={dialog === 'queue'} close={close} />
      <CompareCalls project={project} ids={ids ?? []} open={dialog === 'comparison'} close={close} />
    </>
  )
}
