import { randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { ANY_ONE } from '../../api/index.ts'
import { hashParaphrase } from '../../auth/index.ts'
import type { AuthStore, Store } from '../../store/index.ts'
import { type Model, storedClasses } from '../../vocabulary/index.ts'

/** Links in the sample data are paths below the base URL: any base will do to read them. */
const BASE = 'http://sample'

/** Fills a store that has no member yet; in one that has, the members are its owner's by now. */
export async function addSampleData(path: string, model: Model, store: Store): Promise<void> {
  for (const { name } of storedClasses(model)) {
    if ((await store.members.list(name, ANY_ONE)).members.length > 0) return
  }
  const { importMembers } = await import('../../transfer/index.ts')
  await importMembers({
    model,
    base: BASE,
    store: store.members,
    chunks: createReadStream(path),
    format: 'ndjson',
    file: basename(path),
    now: Date.now,
    report(line, sentence) {
      throw new Error(`${path}:${line}: ${sentence}`)
    },
    progress() {},
  })
}

export interface FirstUser {
  readonly id: number
  readonly paraphrase: string
}

const WORDS = 5

/** Five of 2,048 words: 55 random bits, behind a throttle. */
export async function addFirstUser(store: AuthStore): Promise<FirstUser | undefined> {
  const { wordlist } = await import('@scure/bip39/wordlists/english.js')
  const paraphrase = Array.from({ length: WORDS }, () => wordlist[randomInt(wordlist.length)]).join(' ')
  const id = 1
  const added = await store.addUser(id, await hashParaphrase(paraphrase), Date.now())
  return added ? { id, paraphrase } : undefined
}
