import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { ClassDescription } from '../../src/client/index.ts'
import type { Connection } from './connection/connection.ts'
import type { Description } from './connection/description.ts'

/** The API that one is connected to, as far as every page needs it. */
export interface Api extends Connection, Description {}

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === undefined) throw new Error('There is no API around this part of the page.')
  return api
}

export const classNamed = (api: Api, iri: string | undefined): ClassDescription | undefined =>
  api.documentation.classes.find((one) => one.iri === iri)

/** What is being read: the value of before stays until the new one is there, so that nothing jumps. */
export interface Loading<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly busy: boolean
  readonly reload: () => void
}

/** Reads when it is first shown and whenever one of `inputs` changes. What is not wanted any more is given up. */
export function useLoading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loading<T> {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<Omit<Loading<T>, 'reload'>>({
    value: undefined,
    error: undefined,
    busy: true,
  })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState((before) => ({ ...before, busy: true }))
    read(signal).then(
      (value) => signal.aborted || setState({ value, error: undefined, busy: false }),
      (error: unknown) => signal.aborted || setState({ value: undefined, error, busy: false }),
    )
    return () => controller.abort()
  }, [turn, ...inputs])
  return { ...state, reload: () => setTurn((before) => before + 1) }
}
