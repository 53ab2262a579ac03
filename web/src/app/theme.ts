/** Dark or light: as the system has it, until the user chooses. */
import { useEffect, useSyncExternalStore } from 'react'
import { useKept } from '../ui/kept'

export type Theme = 'light' | 'dark'

const darkness = () => matchMedia('(prefers-color-scheme: dark)')

/** The system may change by the time of day. */
function subscribe(listener: () => void): () => void {
  const media = darkness()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const system = useSyncExternalStore(subscribe, () => darkness().matches) ? 'dark' : 'light'
  const [kept, keep] = useKept('theme', '')
  const theme: Theme = kept === 'dark' || kept === 'light' ? kept : system
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return [theme, keep]
}
