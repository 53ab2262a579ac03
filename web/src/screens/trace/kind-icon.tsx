/** What kind a call is, as an icon in a colour of its own. */
import type { Kind } from '../../../../domain/calls/kinds'
import { Icon, type IconName } from '../../ui/icons'

const ICONS: Readonly<Record<Kind, IconName>> = {
  ...{ agent: 'agents', model: 'model', tool: 'tool', retrieval: 'search', step: 'step' },
}

export function KindIcon({ kind }: { kind: Kind }) {
  return (
    <span className={`trace-kind ${kind}`} title={kind}>
      <Icon name={ICONS[kind]} label={kind} />
    </span>
  )
}
