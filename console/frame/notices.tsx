import { useEffect, useState } from 'preact/hooks'
import { useApi, useLoading } from '../shared/api.ts'
import { type Connection, connect } from '../shared/connection/connection.ts'
import { describeAnew, isSameDescription, otherName } from '../shared/connection/description.ts'
import { announcement, silence } from '../shared/controls/announcement.ts'
import { Button } from '../shared/controls/button.tsx'
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
          <Button onClick={onReload}>Reload</Button>
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

/** What this API leads to lies elsewhere: it can be read, and no link of it leads to a page of the console. */
export function OtherNameNotice({ onOpened }: { readonly onOpened: (connection: Connection) => void }) {
  const { client, base } = useApi()
  // The client remembers it: nothing goes over the wire.
  const { value: entryPoint } = useLoading((signal) => client.entryPoint({ signal }), [client])
  const name = entryPoint && otherName(base, entryPoint)
  if (name === undefined) return null
  return (
    <section class="change-notice" aria-label="The API’s own address">
      <p>
        <strong>This API calls itself {name}</strong>, which is not the address that you opened: its links
        lead out of this page.
      </p>
      <Button onClick={() => onOpened(connect(name))}>Open {name}</Button>
    </section>
  )
}

/** Around the pages, since what did it is gone when it is said; and gone with the API that it is about. */
export function AnnouncementRegion() {
  const sentence = useStore(announcement)
  useEffect(() => {
    // What was said belongs to the page that it was said on; what is about to be, to the one that comes.
    const onMove = () => announcement.get() && silence()
    addEventListener('hashchange', onMove)
    return () => {
      silence()
      removeEventListener('hashchange', onMove)
    }
  }, [])
  return (
    <div class="announcement" role="status">
      {sentence}
    </div>
  )
}
