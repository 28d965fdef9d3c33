import { readAddress } from './address.ts'

/**
 * The API that somebody has chosen in this tab, so that it is still there after a reload. It is no secret; and unlike
 * an address in a link, nobody else can choose it.
 */
const KEY = 'hydrant-api'

type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The one that the page came with unless another one was chosen; empty where there is neither. */
export function chosenApi(served: string, memory = tabMemory()): string {
  for (const text of [memory?.getItem(KEY) ?? '', served]) {
    const reading = readAddress(text)
    if ('address' in reading) return reading.address
  }
  return ''
}

export function rememberApi(address: string, served: string, memory = tabMemory()): void {
  try {
    if (address === served) memory?.removeItem(KEY)
    else memory?.setItem(KEY, address)
  } catch {
    // It is full: then a reload leads back to the API that the page came with.
  }
}

function tabMemory(): Memory | undefined {
  try {
    return sessionStorage
  } catch {
    // A browser may refuse it to a page.
    return undefined
  }
}
