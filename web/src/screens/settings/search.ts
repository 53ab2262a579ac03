/** What the address of the settings holds. Pure. */

const TABS = ['keys', 'secrets', 'sessions', 'masking', 'audit'] as const

export interface SettingsSearch {
  tab?: (typeof TABS)[number] | undefined
}

export function readSettingsSearch({ tab }: Record<string, unknown>): SettingsSearch {
  const known = TABS.find((one) => one === tab)
  return known === undefined ? {} : { tab: known }
}
