/** The screens of a project, in the order of the navigation. A screen is a line here and a route in router.tsx. */
import type { IconName } from '../ui/icons'

export interface Screen {
  title: string
  icon: IconName
  /** below /{entity}/{project}/weave */
  path: string
  /** after `g` */
  key: string
}

export const screens: readonly Screen[] = [
  { title: 'Traces', icon: 'calls', path: 'traces', key: 't' },
  { title: 'Threads', icon: 'threads', path: 'threads', key: 'c' },
  { title: 'End users', icon: 'user', path: 'end-users', key: 'u' },
  { title: 'Agents', icon: 'agents', path: 'agents', key: 'a' },
  { title: 'Dashboards', icon: 'dashboards', path: 'dashboards', key: 'b' },
  { title: 'SQL', icon: 'columns', path: 'sql', key: 'x' },
  { title: 'Evaluations', icon: 'evaluations', path: 'evaluations', key: 'e' },
  { title: 'Monitors', icon: 'search', path: 'monitors', key: 'm' },
  { title: 'Alerts', icon: 'error', path: 'alerts', key: 'l' },
  { title: 'Rules', icon: 'rules', path: 'rules', key: 'r' },
  { title: 'Datasets', icon: 'datasets', path: 'datasets', key: 'd' },
  { title: 'Annotation', icon: 'annotation', path: 'queues', key: 'q' },
  { title: 'Prompts', icon: 'copy', path: 'prompts', key: 'y' },
  { title: 'Objects', icon: 'objects', path: 'objects', key: 'o' },
  { title: 'Playground', icon: 'play', path: 'playground', key: 'p' },
  { title: 'Training', icon: 'training', path: 'training', key: 'j' },
  { title: 'Settings', icon: 'settings', path: 'settings', key: 's' },
]
