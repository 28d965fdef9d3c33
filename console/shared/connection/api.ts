import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Connection } from './connection.ts'
import type { Description } from './description.ts'

export interface Api extends Connection, Description {}

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (api === undefined) throw new Error('There is no API around this part of the page.')
  return api
}
