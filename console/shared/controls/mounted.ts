import { useEffect, useRef } from 'preact/hooks'

/** Whether it is still there when something is done at last: whoever has left meanwhile is not to be led anywhere. */
export function useShown(): () => boolean {
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  return () => !gone.current
}
