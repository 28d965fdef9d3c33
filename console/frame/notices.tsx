import { useContext, useState } from 'preact/hooks'
import { ApiSwitchContext } from '../pages/sign-in/index.ts'
import {
  connect,
  describeAnew,
  isSameDescription,
  mayHaveChanged,
  otherName,
  useApi,
} from '../shared/connection/index.ts'
import { announcement, Button, silence } from '../shared/controls/index.ts'
import { useAbortableEffect, useStore } from '../shared/state.ts'

/** The API has changed since this page read it. Nothing reloads by itself: a form may be half filled in. */
export function ChangeNotice({ onReload }: { onReload: () => void }) {
  const api = useApi()
  const session = useStore(api.signedIn)
  const [changed, setChanged] = useState(false)
  useAbortableEffect(
    (signal) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const compare = async () => {
        const now = await describeAnew(api.client, { signal }).catch(() => undefined)
        timer = undefined
        if (now && !signal.aborted) setChanged(!isSameDescription(now, api))
      }
      const stop = api.wire.watch(([latest]) => {
        // Later, when the client has read the token; and once for however many requests.
        if (latest && mayHaveChanged(latest, api.collections)) timer ??= setTimeout(compare)
      })
      return () => {
        stop()
        clearTimeout(timer)
      }
    },
    [api],
  )
  return (
    <div class="change" role="status">
      {changed && (
        <div class="change-notice row">
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

/** The API's links lead to another address than the one that was opened: no page of the console shows them. */
export function OtherNameNotice() {
  const { open } = useContext(ApiSwitchContext)
  const api = useApi()
  const name = otherName(api.base, api)
  if (name === undefined) return null
  return (
    <section class="change-notice row" aria-label="The API’s own address">
      <p>
        <strong>This API calls itself {name}</strong>, which is not the address that you opened: its links
        lead out of this page.
      </p>
      <Button onClick={() => open(connect(name))}>Open {name}</Button>
    </section>
  )
}

/** It stands around the pages, since the page that announces something is left at once. */
export function AnnouncementRegion() {
  const sentence = useStore(announcement)
  useAbortableEffect((signal) => {
    // A shown sentence ends with its page; one that is about to be shown belongs to the next page.
    addEventListener('hashchange', () => announcement.get() && silence(), { signal })
    return silence
  }, [])
  return (
    <div class="announcement" role="status">
      {sentence}
    </div>
  )
}
