import { readFile } from 'node:fs/promises'
import { createInput } from '../api/input/input.ts'
import { ANY_ONE } from '../api/single.ts'
import { refusal } from '../api/write.ts'
import { type JsonObject, readJson } from '../json.ts'
import type { Store } from '../store/store.ts'
import { type Model, storedClasses } from '../vocabulary/model.ts'

/** Links in the sample data are paths on the server: any base will do to read them. */
const BASE = 'http://sample'

/** Fills a store that has no member yet; one that has is somebody's data by now. */
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
