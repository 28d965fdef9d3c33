import type { Visitor } from '../users.ts'

/** An entry of a history, as it is served. */
export interface Entry {
  '@id': string
  '@type': string
  published: string
  actor?: string
  changed?: string[]
  restore?: string
}

/** An address as a path below the base. */
export const pathOf = (address = ''): string => address.replace(/^https?:\/\/[^/]+\/api/, '')

/** The newest entries of a member. */
export const entriesOf = async (user: Visitor, member: string): Promise<Entry[]> =>
  (await user.send('GET', `${member}/history`)).json().member as Entry[]
