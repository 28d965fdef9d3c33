import { parseArgs } from 'node:util'
import type { BridgeEnvironment } from './credentials.ts'
import { BridgeProblem } from './problems.ts'

export interface BridgeArguments {
  readonly url: string
  readonly isReadOnly: boolean
}

/** Arguments are not repeated in a message: one of them may be a paraphrase, which is never an argument. */
export function readArguments(args: readonly string[], environment: BridgeEnvironment): BridgeArguments {
  const { values, positionals } = parse(args, isSet(environment.HYDRANT_READ_ONLY))
  const [url, ...others] = positionals
  if (url === undefined) throw new BridgeProblem('address-missing', {})
  if (others.length > 0) throw new BridgeProblem('unknown-argument', {})
  return { url, isReadOnly: values['read-only'] }
}

function parse(args: readonly string[], isReadOnly: boolean) {
  try {
    return parseArgs({
      args: [...args],
      options: { 'read-only': { type: 'boolean', default: isReadOnly } },
      allowNegative: true,
      allowPositionals: true,
    })
  } catch {
    throw new BridgeProblem('unknown-argument', {})
  }
}

/** A value that nobody expected counts as on: then nothing can be changed. */
const isSet = (variable = ''): boolean => !/^(?:|0|off|false|no)$/i.test(variable)
