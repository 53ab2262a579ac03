/** The screens of a project, in the order of the navigation. A screen is a line here and a route in router.tsx. */
import type { IconName } from '../ui/icons'

export interface Screen {
  group: (typeof GROUPS)[number]
  title: string
  icon: IconName
  /** below /{entity}/{project}/weave */
  path: string
  /** after `g`; shell.tsx has `h` and `k` */
  key: string
}

/** What the screens are for, in the order of the navigation. */
export const GROUPS = ['Observe', 'Evaluate', 'Build', 'Automate', 'Project'] as const

export const screens: readonly Screen[] = [
  { group: 'Observe', title: 'Traces', icon: 'calls', path: 'traces', key: 't' },
  { group: 'Observe', title: 'Threads', icon: 'threads', path: 'threads', key: 'c' },
  { group: 'Observe', title: 'End users', icon: 'user', path: 'end-users', key: 'u' },
  { group: 'Observe', title: 'Agents', icon: 'agents', path: 'agents', key: 'a' },
  { group: 'Observe', title: 'Dashboards', icon: 'dashboards', path: 'dashboards', key: 'b' },
  { group: 'Observe', title: 'SQL', icon: 'terminal', path: 'sql', key: 'x' },
  { group: 'Evaluate', title: 'Evaluations', icon: 'evaluations', path: 'evaluations', key: 'e' },
  { group: 'Evaluate', title: 'Datasets', icon: 'datasets', path: 'datasets', key: 'd' },
  { group: 'Evaluate', title: 'Annotation', icon: 'annotation', path: 'queues', key: 'q' },
  { group: 'Build', title: 'Prompts', icon: 'prompt', path: 'prompts', key: 'y' },
  { group: 'Build', title: 'Playground', icon: 'play', path: 'playground', key: 'p' },
  { group: 'Build', title: 'Training', icon: 'training', path: 'training', key: 'j' },
  { group: 'Build', title: 'Objects', icon: 'objects', path: 'objects', key: 'o' },
  { group: 'Automate', title: 'Monitors', icon: 'pulse', path: 'monitors', key: 'm' },
  { group: 'Automate', title: 'Alerts', icon: 'bell', path: 'alerts', key: 'l' },
  { group: 'Automate', title: 'Rules', icon: 'rules', path: 'rules', key: 'r' },
  { group: 'Project', title: 'Settings', icon: 'settings', path: 'settings', key: 's' },
]
