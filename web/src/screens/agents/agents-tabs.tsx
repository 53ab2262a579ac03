/** The lists of the agents' screen: each has an address of its own. */
import { useNavigate } from '@tanstack/react-router'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { Tabs } from '../../ui/tabs'

const TABS = [
  ['agents', 'Agents'],
  ['conversations', 'Conversations'],
] as const

export function AgentsTabs({ chosen }: { chosen: (typeof TABS)[number][0] }) {
  const { id } = useProject()
  const navigate = useNavigate()
  const choose = (tab: string) =>
    void navigate({ to: weavePath(id, 'agents', ...(tab === 'agents' ? [] : [tab])) })
  const other = TABS.find(([name]) => name !== chosen)!
  useShortcuts([{ keys: 't', what: `Show ${other[1].toLowerCase()}`, run: () => choose(other[0]) }])
  return <Tabs tabs={TABS} chosen={chosen} choose={choose} />
}
