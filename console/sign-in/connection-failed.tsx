import { Failure } from '../frame/failure.tsx'
import { AddressForm } from './address-form.tsx'
import { StartPage } from './start-page.tsx'

interface ConnectionFailedProps {
  readonly base: string
  readonly served: string
  readonly error: unknown
  readonly notice: string
  readonly onRetry: () => void
  readonly onAddress: (address: string) => void
}

/** There is no API to show: why, and where else there may be one. */
export function ConnectionFailed(props: ConnectionFailedProps) {
  const { base, served, error, notice, onRetry, onAddress } = props
  return (
    <StartPage title="This API cannot be shown" notice={notice}>
      <p>
        <code>{base}</code>
      </p>
      <Failure error={error} onRetry={onRetry} />
      {isMixed(base) && (
        <p class="warning">
          This page came over https, and a browser does not let it read an API over plain http.
        </p>
      )}
      <AddressForm
        address={base}
        onAddress={onAddress}
        actions={
          served !== '' &&
          base !== served && (
            <button type="button" class="button" onClick={() => onAddress(served)}>
              Back to {served}
            </button>
          )
        }
      />
    </StartPage>
  )
}

const isMixed = (base: string): boolean => location.protocol === 'https:' && base.startsWith('http:')
