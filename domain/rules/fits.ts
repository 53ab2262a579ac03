/** Which actions of rules go with which triggers. The pages use this file, too. Pure. */

const ALWAYS = ['evaluate', 'train', 'notify'] as const
/** The actions where an event is about a call. */
const OF_CALLS = ['add_to_queue', 'add_to_dataset', ...ALWAYS] as const
/** The actions where it is about a version of an object. */
const OF_VERSIONS = ['evaluate', 'train', 'set_alias', 'notify'] as const

export const ACTIONS_OF = {
  call: OF_CALLS,
  turn: OF_CALLS,
  score: OF_CALLS,
  alias: OF_VERSIONS,
  dataset_version: OF_VERSIONS,
  evaluation: OF_VERSIONS,
  training_job: ALWAYS,
} as const
