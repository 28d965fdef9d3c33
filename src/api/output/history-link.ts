import { type Class, HISTORY, ownKey } from '../../vocabulary/index.ts'

/** The link of a member to its history, as one of its keys; by its IRI where the class has a property of the name. */
export function historyText(cls: Class, base: string, address: string): string {
  const key = ownKey(cls, HISTORY, base)
  const link = JSON.stringify(`${address}/${HISTORY}`)
  return `,"${key}":${key === HISTORY ? link : `{"@id":${link}}`}`
}
