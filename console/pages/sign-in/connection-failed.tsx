import { isMixed, MIXED } from '../../shared/connection/address.ts'
import { type Connection, connect } from '../../shared/connection/connection.ts'
import { OtherNameError } from '../../shared/connection/other-name.ts'
import { Failure } from '../../shared/controls/failure.tsx'
import { AddressForm } from './address-form.tsx'
import { BackToServed } from './back-to-served.tsx'
import { StartPage } from './start-page.tsx'

interface ConnectionFailedProps {
  readonly base: string
  readonly served: string
  readonly error: unknown
  readonly notice: string
  readonly onRetry: () => void
  readonly onOpened: (connection: Connection) => void
  readonly onBack: () => void
}

/** There is no API to show: why, and where else there may be one. */
export function ConnectionFailed(props: ConnectionFailedProps) {
  const { base, served, error, notice, onRetry, onOpened, onBack } = props
  return (
    <StartPage title="This API cannot be shown" notice={notice}>
      <p>
        <code>{base}</code>
      </p>
      <Failure error={error} onRetry={error instanceof OtherNameError ? undefined : onRetry} />
      {error instanceof OtherNameError && (
        <p>
          <button type="button" class="button primary" onClick={() => onOpened(connect(error.address))}>
            Open {error.address}
          </button>
        </p>
      )}
      {isMixed(location.protocol, base) && <p class="warning">{MIXED}</p>}
      <AddressForm
        address={base}
        onOpened={onOpened}
        actions={<BackToServed base={base} served={served} onBack={onBack} />}
      />
    </StartPage>
  )
}
