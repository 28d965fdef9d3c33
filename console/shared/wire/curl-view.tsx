import { useMemo } from 'preact/hooks'
import type { WireRecord } from '../../../src/client/index.ts'
import { Command } from './command.tsx'
import { asCurl, preparationsFor } from './curl.ts'
import { stepOf } from './step.ts'

interface CurlViewProps {
  readonly base: string
  readonly record: WireRecord
}

/** The request as a command line, to be copied, and where the secrets that it names come from. */
export function CurlView({ base, record }: CurlViewProps) {
  const step = stepOf(record)
  // Nonces and tokens are issued in headers.
  const showHeaders = step !== undefined && step !== 'token'
  const command = useMemo(() => asCurl(record, { showHeaders }), [record])
  const preparations = preparationsFor(record, base)
  const variable = preparations.length > 1 ? '$TOKEN' : '$NONCE'
  return (
    <section>
      <Command title="As a command" button="Copy as curl" text={command} />
      {preparations.length > 0 && (
        <details class="wire-preparations">
          <summary>
            Where <code>{variable}</code> comes from
          </summary>
          <p class="hint">
            Set <code>USER_ID</code> and <code>PARAPHRASE</code> to who you are, then:
          </p>
          <Command
            title={preparations.length > 1 ? 'Steps A and B' : 'Step A'}
            button={`Copy what sets ${variable}`}
            text={preparations.join('\n')}
          />
        </details>
      )}
    </section>
  )
}
