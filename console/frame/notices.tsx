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
import { useAbortableEffect, useObservable } from '../shared/state.ts'

/** Shown if the API has changed. The page does not reload by itself, since a form may be half filled in. */
export function ChangeNotice({ onReload }: { onReload: () => void }) {
  const api = useApi()
  const session = useObservable(api.signedIn)
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
        // Later, when the client has read the token; and only once for several requests.
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
            <strong>The API has changed</strong> since you opened this page.
            {session && ' You will need to sign in again after reloading.'}
          </p>
          <Button onClick={onReload}>Reload</Button>
        </div>
      )}
    </div>
  )
}

/** The API links to another address than the one that was opened, so the console cannot show what it links to. */
export function OtherNameNotice() {
  const { open } = useContext(ApiSwitchContext)
  const api = useApi()
  const name = otherName(api.base, api)
  if (name === undefined) return null
  return (
    <section class="change-notice row" aria-label="The API’s own address">
      <p>
        <strong>The address of this API is {name}</strong>, which is not the one that you opened. Its links
        lead out of this page.
      </p>
      <Button onClick={() => open(connect(name))}>Open {name}</Button>
    </section>
  )
}

/** Outside of the pages, since the page that announces something is left at once. */
export function AnnouncementRegion() {
  const sentence = useObservable(announcement)
  useAbortableEffect((signal) => {
    // A sentence disappears with its page; one that is not shown yet belongs to the next page.
    addEventListener('hashchange', () => announcement.get() && silence(), { signal })
    return silence
  }, [])
  return (
    <div class="announcement" role="status">
      {sentence}
    </div>
  )
}
