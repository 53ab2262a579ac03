/** Whether a row of the traces table has three lines. */
import { useKept } from '../../ui/kept'

export function useTall(): [boolean, (is: boolean) => void] {
  const [kept, keep] = useKept('traces.tall', 'false')
  return [kept === 'true', (is) => keep(String(is))]
}
