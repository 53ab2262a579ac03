/** What sets off a rule: a call, a turn, a score, an alias, a version of a dataset, an evaluation or a training job. */
import { useQuery } from '@tanstack/react-query'
import { datasetNamesQuery } from '../../api/objects'
import { aliasesQuery } from '../../api/rules'
import { trainedModelsQuery } from '../../api/training'
import { ChoiceField, NameField } from '../../ui/fields'
import { CallFields } from './call-fields'
import type { TriggerDraft, TriggerType } from './draft'
import { useObjectNames } from './names'
import { ScoreFields } from './score-fields'
import { TRIGGER_TITLES } from './shown'

interface Props<Trigger = TriggerDraft> {
  project: string
  trigger: Trigger
  change: (trigger: Trigger) => void
}
type Of<Type extends TriggerType> = Props<Extract<TriggerDraft, { type: Type }>>

export function TriggerFields({
  project,
  trigger,
  change,
  choose,
}: Props & { choose: (type: TriggerType) => void }) {
  const common = { project, change }
  return (
    <>
      <ChoiceField label="When" of={TRIGGER_TITLES} value={trigger.type} choose={choose} />
      {(trigger.type === 'call' || trigger.type === 'turn') && <CallFields {...common} trigger={trigger} />}
      {trigger.type === 'score' && <ScoreFields {...common} trigger={trigger} />}
      {trigger.type === 'alias' && <AliasFields {...common} trigger={trigger} />}
      {trigger.type === 'dataset_version' && <DatasetField {...common} trigger={trigger} />}
      {trigger.type === 'evaluation' && <EvaluationField {...common} trigger={trigger} />}
      {trigger.type === 'training_job' && <JobFields {...common} trigger={trigger} />}
    </>
  )
}

function AliasFields({ project, trigger, change }: Of<'alias'>) {
  const objects = useObjectNames(project, '')
  const { data: aliases = [] } = useQuery(aliasesQuery(project))
  return (
    <div className="alerts-fields">
      <NameField
        label="Only of the object"
        none="any object"
        names={objects}
        value={trigger.object}
        set={(object) => change({ ...trigger, object })}
      />
      <NameField
        label="Only the alias"
        none="any alias"
        names={aliases}
        value={trigger.alias}
        set={(alias) => change({ ...trigger, alias })}
      />
    </div>
  )
}

function DatasetField({ project, trigger, change }: Of<'dataset_version'>) {
  const { data: names = [] } = useQuery(datasetNamesQuery(project))
  return (
    <NameField
      label="Only of the dataset"
      none="any dataset"
      names={names}
      value={trigger.dataset}
      set={(dataset) => change({ ...trigger, dataset })}
    />
  )
}

function EvaluationField({ project, trigger, change }: Of<'evaluation'>) {
  return (
    <NameField
      label="Only of the evaluation"
      none="any evaluation"
      names={useObjectNames(project, 'Evaluation')}
      value={trigger.evaluation}
      set={(evaluation) => change({ ...trigger, evaluation })}
    />
  )
}

const ENDS = {
  completed: 'it has completed',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
} as const
type End = keyof typeof ENDS

function JobFields({ project, trigger, change }: Of<'training_job'>) {
  const { data: models = [] } = useQuery(trainedModelsQuery(project))
  const { statuses } = trigger
  const toggle = (end: End) =>
    change({
      ...trigger,
      statuses: statuses.includes(end) ? statuses.filter((one) => one !== end) : [...statuses, end],
    })
  return (
    <>
      <NameField
        label="Only of the model"
        none="any model"
        names={models.map(({ name }) => name)}
        value={trigger.model}
        set={(model) => change({ ...trigger, model })}
      />
      <div className="row rules-ends" role="group" aria-label="How it ended">
        {Object.entries(ENDS).map(([end, title]) => (
          <label key={end} className="check">
            <input
              type="checkbox"
              checked={statuses.includes(end as End)}
              onChange={() => toggle(end as End)}
            />
            {title}
          </label>
        ))}
        {statuses.length === 0 && <span className="bad">Choose at least one.</span>}
      </div>
    </>
  )
}
