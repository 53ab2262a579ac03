/** Who did how much of a queue, and how far annotators agree. */
import { useQuery } from '@tanstack/react-query'
import { annotatorsQuery } from '../../api/queues'
import { Dialog } from '../../ui/dialog'
import { count, decimal, share } from '../../ui/format'
import { Empty } from '../../ui/states'
import { TableOf } from '../../ui/table'

interface Props {
  project: string
  queue: string
  /** of items */
  total: number
  open: boolean
  close: () => void
}

export function AnnotatorsDialog(props: Props) {
  return (
    <Dialog title="Annotators" open={props.open} close={props.close}>
      {props.open && <Annotators {...props} />}
    </Dialog>
  )
}

function Annotators({ project, queue, total }: Props) {
  const query = useQuery(annotatorsQuery(project, queue))
  return (
    <div className="queues-annotators">
      <TableOf
        label="Progress"
        query={query}
        rows={query.data?.annotators}
        keyOf={({ user_id: id }) => id}
        columns={[
          { title: 'Annotator', cell: ({ username, user_id: id }) => username ?? id },
          {
            title: 'Done',
            cell: ({ username, user_id: id, completed_items: completed, skipped_items: skipped }) => (
              <span className="row">
                <progress
                  max={Math.max(1, total)}
                  value={completed + skipped}
                  aria-label={`Done by ${username ?? id}`}
                />
                {count(completed + skipped)} of {count(total)}
              </span>
            ),
          },
          { title: 'Skipped', isNumber: true, cell: ({ skipped_items: skipped }) => count(skipped) },
        ]}
        empty={<Empty title="Nobody has annotated yet" />}
      />
      {query.data && query.data.annotators.length > 0 && (
        <>
          <h3>Agreement</h3>
          <TableOf
            label="Agreement"
            query={query}
            rows={query.data.agreement}
            keyOf={({ feedback_type: type }) => type}
            columns={[
              { title: 'Question', cell: ({ feedback_type: type }) => type.replace('wandb.annotation.', '') },
              { title: 'Calls', isNumber: true, cell: ({ items }) => count(items) },
              { title: 'Equal answers', isNumber: true, cell: ({ agreement }) => share(agreement) },
              {
                title: <abbr title="Krippendorff's alpha: 1 is perfect agreement, 0 is chance">Alpha</abbr>,
                isNumber: true,
                cell: ({ alpha }) => (alpha === null ? '–' : decimal(alpha)),
              },
            ]}
            empty={
              <p className="muted">
                No call has answers of two annotators. Turn on <i>my own</i>, so that everyone is asked about
                every call.
              </p>
            }
          />
        </>
      )}
    </div>
  )
}
