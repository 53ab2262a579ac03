/** What the address of the settings holds. Pure. */

const TABS = ['keys', 'people', 'secrets', 'sessions', 'masking', 'audit'] as const
/** Of the tab for people. */
const PARTS = ['members', 'invitations', 'teams', 'roles', 'users'] as const

export interface SettingsSearch {
  tab?: (typeof TABS)[number] | undefined
  part?: (typeof PARTS)[number] | undefined
}

export function readSettingsSearch({ tab, part }: Record<string, unknown>): SettingsSearch {
  const known = TABS.find((one) => one === tab)
  const knownPart = PARTS.find((one) => known === 'people' && one === part)
  return {
    ...(known !== undefined && { tab: known }),
    ...(knownPart !== undefined && { part: knownPart }),
  }
}
