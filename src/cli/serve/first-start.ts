import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { createInput } from '../../api/input/input.ts'
import { ANY_ONE } from '../../api/single.ts'
import { refusal } from '../../api/write.ts'
import { hashParaphrase } from '../../auth/paraphrase.ts'
import { type JsonObject, readJson } from '../../json.ts'
import type { AuthStore, Store } from '../../store/store.ts'
import { type Model, storedClasses } from '../../vocabulary/model.ts'

/** Links in the sample data are paths on the server: any base will do to read them. */
const BASE = 'http://sample'

/** Fills a store that has no member yet; in one that has, the members are its owner's by now. */
export async function addSampleData(path: string, model: Model, store: Store): Promise<void> {
  const classes = storedClasses(model)
  for (const { name } of classes) {
    if ((await store.members.list(name, ANY_ONE)).members.length > 0) return
  }
  const inputs = new Map(classes.map((cls) => [cls.name, createInput(cls, BASE)]))
  const now = Date.now()
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  for (const line of lines) {
    const { '@type': type, '@id': address, ...values } = readJson(line) as JsonObject
    const id = String(address).split('/').pop() ?? ''
    const member = inputs.get(String(type))?.create(values, id, now)
    if (member === undefined) throw new Error(`${path}: there is no class ${String(type)}.`)
    const added = await store.members.add(String(type), member)
    // Another process that starts at the same time adds the same ones.
    if (added.outcome === 'refused') throw refusal(added)
  }
}

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
