/** Dark or light: as the system has it, until the user chooses. */
import { useEffect } from 'react'
import { useKept } from '../ui/kept'

export type Theme = 'light' | 'dark'

export function useTheme(): [Theme, (theme: Theme) => void] {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const [kept, keep] = useKept('theme', '')
  const theme: Theme = kept === 'dark' || kept === 'light' ? kept : system
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  return [theme, keep]
}
