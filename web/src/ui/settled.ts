/** A value once it has stayed the same for a moment, as when somebody stops typing. */
import { useEffect, useState } from 'react'

const MOMENT_MS = 300

export function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), MOMENT_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
