import { useApi, useLoading } from '../shared/api.ts'
import { type Connection, connect } from '../shared/connection/connection.ts'
import { otherName } from '../shared/connection/other-name.ts'

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
      <button type="button" class="button" onClick={() => onOpened(connect(name))}>
        Open {name}
      </button>
    </section>
  )
}
