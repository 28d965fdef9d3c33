import { useEffect, useState } from 'preact/hooks'

/** In the last minutes the seconds are shown, and the user can get a new token. */
export const LAST_MINUTES_MS = 5 * 60_000

/** `44 min`; in the last minutes `4:09`. */
export function remaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (seconds * 1_000 >= LAST_MINUTES_MS) return `${minutes} min`
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}

/** `14:05`. */
export const clockText = (instant: number): string =>
  new Date(instant).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** An HTML duration: `PT4M9S`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  return `PT${Math.floor(seconds / 60)}M${seconds % 60}S`
}

/** For screen readers, which should speak twice in the life of a token, not every second. */
export function announcementAt(milliseconds: number): string {
  if (milliseconds <= 0)
    return 'Your token has expired. Sign in again to continue; nothing on this page is lost.'
  if (milliseconds <= LAST_MINUTES_MS) return 'Your token expires in less than 5 minutes.'
  return ''
}

/** Milliseconds since 1970. While `wanted`, the component is rendered again every second. */
export function useNow(wanted: boolean): number {
  const [, tick] = useState(0)
  useEffect(() => {
    if (!wanted) return
    const timer = setInterval(() => tick((ticks) => ticks + 1), 1_000)
    return () => clearInterval(timer)
  }, [wanted])
  return Date.now()
}
