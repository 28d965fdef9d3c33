import { useEffect, useState } from 'preact/hooks'
import { useApi } from '../shared/api.ts'
import { describeAnew, isSameDescription } from '../shared/connection/description.ts'
import { useStore } from '../shared/store.ts'
import { isDoubtful } from './api-change.ts'

/** The API is not what it was when this page read it. Nothing happens by itself: somebody may be typing. */
export function ChangeNotice({ onReload }: { readonly onReload: () => void }) {
  const session = useStore(useApi().signedIn)
  const changed = useChanged()
  return (
    <div class="change" role="status">
      {changed && (
        <div class="change-notice">
          <p>
            <strong>The API has changed</strong> since this page read it.
            {session && ' To see it as it is now, sign in once more.'}
          </p>
          <button type="button" class="button" onClick={onReload}>
            Reload
          </button>
        </div>
      )}
    </div>
  )
}

function useChanged(): boolean {
  const api = useApi()
  const [changed, setChanged] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const now = await describeAnew(api.client, { signal }).catch(() => undefined)
      timer = undefined
      if (now && !signal.aborted) setChanged(!isSameDescription(now, api))
    }
    const stop = api.wire.watch(([latest]) => {
      // Later, when the client has read the token; and once, however many requests have found out.
      if (latest && isDoubtful(latest, api.collections)) timer ??= setTimeout(look)
    })
    return () => {
      stop()
      clearTimeout(timer)
      controller.abort()
    }
  }, [api])
  return changed
}
