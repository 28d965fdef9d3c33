import { useEffect, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../../../src/client/index.ts'
import { useApi } from '../../../shared/api.ts'
import { sentenceOf } from '../../../shared/controls/error-sentence.ts'
import { findOptions, type Option } from './picker-search.ts'

/** Somebody who types is not asked about after each letter. */
const PAUSE_MS = 200

/** Whether the options belong to what is typed; or why there are none. */
export type OptionsState = 'searching' | 'done' | { readonly failed: string }

interface Options {
  readonly options: readonly Option[]
  readonly state: OptionsState
}

const NONE: Options = { options: [], state: 'searching' }

/** What can be chosen, for as long as a collection is given. Old searches are given up. */
export function useOptions(collection: CollectionDescription | undefined, text: string): Options {
  const { client } = useApi()
  const [found, setFound] = useState(NONE)
  useEffect(() => {
    if (!collection) return setFound(NONE)
    const controller = new AbortController()
    const { signal } = controller
    setFound(({ options }) => ({ options, state: 'searching' }))
    const search = () =>
      findOptions(client, collection, text.trim(), signal).then(
        (options) => signal.aborted || setFound({ options, state: 'done' }),
        (error: unknown) => signal.aborted || setFound({ options: [], state: { failed: sentenceOf(error) } }),
      )
    const timer = setTimeout(search, text === '' ? 0 : PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [client, collection, text])
  return found
}
