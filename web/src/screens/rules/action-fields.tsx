/** What a rule does: one or more actions, of those that go with what sets it off. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channelsQuery } from '../../api/alerts'
import { datasetNamesQuery } from '../../api/objects'
import { queuesQuery } from '../../api/queues'
import { weavePath } from '../../app/address'
import { Button, IconButton } from '../../ui/button'
import { ChoiceField, NameField, titled } from '../../ui/fields'
import { MessageField } from '../alerts/message-field'
import { ColumnFields } from './column-fields'
import { ACTIONS, type ActionDraft, type ActionType, actionsFor, type Draft, type TriggerType } from './draft'
import { GateFields } from './gate-fields'
import { CALLABLE, useObjectNames } from './names'
import { ACTION_TITLES } from './shown'
import { TrainFields } from './train-fields'

const MOST = 10

interface Props {
  project: string
  draft: Draft
  set: (actions: readonly ActionDraft[]) => void
}

export function ActionFields({ project, draft: { trigger, actions }, set }: Props) {
  const fitting = actionsFor(trigger.type)
  const titles = Object.fromEntries(fitting.map((one) => [one, ACTION_TITLES[one]]))
  return (
    <>
      {actions.map((action, at) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: an action is its place
          key={at}
        >
          <legend>{at === 0 ? 'Then' : 'And then'}</legend>
          <div className="rules-action">
            <ChoiceField
              label="Do this"
              of={titles}
              value={action.type}
              choose={(type: ActionType) => set(actions.with(at, ACTIONS[type]))}
            />
            {actions.length > 1 && (
              <IconButton
                icon="close"
                label={`Remove action ${at + 1}`}
                onClick={() => set(actions.toSpliced(at, 1))}
              />
            )}
          </div>
          <Fields
            project={project}
            trigger={trigger.type}
            action={action}
            change={(next) => set(actions.with(at, next))}
          />
        </fieldset>
      ))}
      {actions.length < MOST && (
        <div>
          <Button icon="plus" onClick={() => set([...actions, ACTIONS[fitting.at(-1)!]])}>
            Add an action
          </Button>
        </div>
      )}
    </>
  )
}

interface Of<Action = ActionDraft> {
  project: string
  trigger: TriggerType
  action: Action
  change: (action: Action) => void
}
/** The fields of an action. */
export type ActionProps<Type extends ActionType> = Of<Extract<ActionDraft, { type: Type }>>

function Fields({ action, ...rest }: Of) {
  switch (action.type) {
    case 'add_to_dataset':
      return <DatasetFields {...rest} action={action} />
    case 'add_to_queue':
      return <QueueField {...rest} action={action} />
    case 'evaluate':
      return <EvaluateFields {...rest} action={action} />
    case 'train':
      return <TrainFields {...rest} action={action} />
    case 'set_alias':
      return <GateFields {...rest} action={action} />
    case 'notify':
      return <NotifyFields {...rest} action={action} />
  }
}

function DatasetFields({ project, action, change }: ActionProps<'add_to_dataset'>) {
  const { data: names = [] } = useQuery(datasetNamesQuery(project))
  return (
    <>
      <NameField
        label="Dataset; a new name makes one"
        names={names}
        value={action.dataset}
        set={(dataset) => change({ ...action, dataset })}
        maxLength={128}
      />
      <ColumnFields columns={action.columns} set={(columns) => change({ ...action, columns })} />
    </>
  )
}

function QueueField({ project, action, change }: ActionProps<'add_to_queue'>) {
  const { data: queues = [] } = useQuery(queuesQuery(project))
  return (
    <NameField
      label="Annotation queue; a new name makes one"
      names={queues.map(({ name }) => name)}
      value={action.queue}
      set={(queue) => change({ ...action, queue })}
      maxLength={256}
    />
  )
}

function EvaluateFields({ project, trigger, action, change }: ActionProps<'evaluate'>) {
  const evaluations = useObjectNames(project, 'Evaluation')
  const models = useObjectNames(project, 'Model', ({ leaf_object_class: leaf }) => leaf === CALLABLE)
  return (
    <>
      <div className="alerts-fields">
        <ChoiceField
          label="Evaluation"
          first="choose one"
          of={titled(evaluations, action.evaluation)}
          value={action.evaluation}
          choose={(evaluation) => change({ ...action, evaluation })}
        />
        <NameField
          label="Model, or model:alias"
          names={models}
          value={action.model}
          set={(model) => change({ ...action, model })}
          {...(trigger === 'alias' && { none: 'the version that has the alias' })}
        />
      </div>
      {trigger === 'dataset_version' && (
        <p className="muted">If the dataset is that of the evaluation, its new version is used.</p>
      )}
      {(evaluations.length === 0 || models.length === 0) && (
        <p className="muted">
          The newest version of an <code>Evaluation</code> is run on an <code>{CALLABLE}</code>.{' '}
          {evaluations.length === 0 ? 'No evaluation' : 'No such model'} is saved in this project yet.
        </p>
      )}
    </>
  )
}

function NotifyFields({ project, action, change }: ActionProps<'notify'>) {
  const { data: channels } = useQuery(channelsQuery(project))
  const names = channels?.map(({ name }) => name) ?? []
  return (
    <>
      <ChoiceField
        label="Channel"
        first="choose one"
        of={titled(names, action.channel)}
        value={action.channel}
        choose={(channel) => change({ ...action, channel })}
      />
      {channels?.length === 0 && (
        <p className="muted">
          There is no channel yet.{' '}
          <Link to={weavePath(project, 'alerts')} search={{ tab: 'channels' }}>
            Make one
          </Link>{' '}
          first.
        </p>
      )}
      <MessageField
        placeholder="{{rule}}: {{what}} {{url}}"
        value={action.message}
        set={(message) => change({ ...action, message })}
      />
    </>
  )
}
