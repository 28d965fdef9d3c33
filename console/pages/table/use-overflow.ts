import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether there is more of it at the right: a shade says so. */
export function useMoreAside(region: RefObject<HTMLElement | null>): boolean {
  const [isMore, setMore] = useState(false)
  useEffect(() => {
    const { current } = region
    const inside = current?.firstElementChild
    if (!current || !inside) return
    const look = (): void => setMore(current.scrollWidth - current.clientWidth - current.scrollLeft > 1)
    const watch = new ResizeObserver(look)
    watch.observe(current)
    watch.observe(inside)
    current.addEventListener('scroll', look)
    return () => {
      watch.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [])
  return isMore
}
