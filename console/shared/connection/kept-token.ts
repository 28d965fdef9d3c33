import { type BrowserMemory, keep, tabMemory } from '../state/index.ts'

/** A token that the user asked to keep in this tab. The paraphrase is never kept. */
export interface KeptToken {
  /** The API that issued it: no other gets it. */
  readonly base: string
  readonly token: string
  readonly user: string
  readonly endsAt: number
}

const KEY = 'hydrant-token'

/** Undefined where there is none for this API, or it has ended. */
export function readKeptToken(base: string, memory = tabMemory(), now = Date.now()): KeptToken | undefined {
  try {
    const kept = JSON.parse(memory?.getItem(KEY) ?? 'null') as KeptToken | null
    return kept && kept.base === base && kept.endsAt > now ? kept : undefined
  } catch {
    return undefined
  }
}

export const keepToken = (
  kept: KeptToken | undefined,
  memory: BrowserMemory | undefined = tabMemory(),
): void => keep(memory, KEY, kept && JSON.stringify(kept))
