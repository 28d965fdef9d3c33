import { randomInt } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { hashParaphrase } from '../auth/paraphrase.ts'
import type { AuthStore } from '../store/store.ts'

export interface FirstUser {
  readonly id: number
  readonly paraphrase: string
}

const WORDS = 5

/** Five of 2,048 words: 55 random bits, behind a throttle. */
export async function addFirstUser(store: AuthStore): Promise<FirstUser | undefined> {
  const paraphrase = Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)]).join(' ')
  const id = 1
  const added = await store.addUser(id, await hashParaphrase(paraphrase), Date.now())
  return added ? { id, paraphrase } : undefined
}
