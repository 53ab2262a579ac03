/** What the address of the settings holds. Pure. */

export interface SettingsSearch {
  tab?: 'keys' | 'secrets' | 'sessions' | undefined
}

export const readSettingsSearch = ({ tab }: Record<string, unknown>): SettingsSearch => ({
  ...((tab === 'keys' || tab === 'secrets' || tab === 'sessions') && { tab }),
})
