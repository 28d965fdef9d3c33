import { useEffect, useState } from 'preact/hooks'

/** Milliseconds since 1970; shown anew every second while somebody wants to know. */
export function useNow(wanted: boolean): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!wanted) return
    const timer = setInterval(() => tick((ticks) => ticks + 1), 1_000)
    return () => clearInterval(timer)
  }, [wanted])
  return Date.now()
}
