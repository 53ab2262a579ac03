/** Which model is trained, on what, and how. */
import { useQuery } from '@tanstack/react-query'
import { datasetNamesQuery } from '../../api/objects'
import { trainedModelsQuery } from '../../api/training'
import { ChoiceField, NameField, titled } from '../../ui/fields'
import { JsonField } from '../../ui/json-field'
import { jsonProblem } from '../../ui/json-problem'
import type { ActionProps } from './action-fields'
import type { ActionDraft, TrainKind, TriggerType } from './draft'

type Train = Extract<ActionDraft, { type: 'train' }>

const KINDS: Readonly<Record<TrainKind, string>> = {
  sft: 'supervised: learn the answers',
  dpo: 'preferences: learn which of two answers is better',
  kto: 'judgements: learn which answers are good and which bad',
  rl: 'reinforcement: learn from rewards',
}
const SOURCES: Readonly<Record<Train['from'], string>> = {
  version: 'the dataset version that set it off',
  dataset: 'the newest version of a dataset',
  json: 'other data, as JSON',
}

export function TrainFields({ project, trigger, action, change }: ActionProps<'train'>) {
  const { data: models = [] } = useQuery(trainedModelsQuery(project))
  const { data: datasets = [] } = useQuery(datasetNamesQuery(project))
  const set = (more: Partial<Train>) => change({ ...action, ...more })
  const dataProblem = action.data.trim() === '' ? 'Say which data.' : jsonProblem(action.data, 'object')
  return (
    <>
      <NameField
        label="Model that is trained here"
        names={models.map(({ name }) => name)}
        value={action.model}
        set={(model) => set({ model })}
      />
      <ChoiceField
        label="How"
        of={KINDS}
        value={action.kind}
        choose={(kind) => set({ kind, ...(kind === 'rl' && { from: 'json' }) })}
      />
      <ChoiceField
        label="Train on"
        of={sourcesFor(action.kind, trigger)}
        value={action.from}
        choose={(from) => set({ from })}
      />
      {action.from === 'dataset' && (
        <ChoiceField
          label="Dataset"
          first="choose one"
          of={titled(datasets, action.dataset)}
          value={action.dataset}
          choose={(dataset) => set({ dataset })}
        />
      )}
      {action.from === 'json' && (
        <JsonField
          label="Data, as POST /v1/preview/training-data/preview takes it"
          rows={4}
          text={action.data}
          setText={(data) => set({ data })}
          problem={dataProblem}
          placeholder={'{"dataset": "weave:///team/project/object/rows:v3", "reward": {"from": "reaction"}}'}
        />
      )}
      <JsonField
        label="Options of the training, as JSON; empty: the usual ones"
        rows={2}
        text={action.config}
        setText={(config) => set({ config })}
        problem={jsonProblem(action.config, 'object')}
        placeholder={'{"learning_rate": 0.0001, "epochs": 2}'}
      />
    </>
  )
}

/** Rewards are a part of the data: no dataset has them by its name alone. */
function sourcesFor(kind: TrainKind, trigger: TriggerType): Partial<typeof SOURCES> {
  const { version, dataset, json } = SOURCES
  if (kind === 'rl') return { json }
  return trigger === 'dataset_version' ? { version, dataset, json } : { dataset, json }
}
