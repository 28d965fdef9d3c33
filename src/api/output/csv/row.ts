import {
  createScanValues,
  readText,
  type StoredMember,
  type WantedValues,
  writeMember,
} from '../../../members/index.ts'
import type { Class } from '../../../vocabulary/index.ts'
import type { CellWriter } from './cell.ts'
import type { CsvProperty } from './properties.ts'

/** A row whose lists and texts by language have no columns yet. */
export interface ServedRow {
  /** The text before the first of them, between them, and after the last. */
  readonly texts: readonly string[]
  /** Their values, undefined without one. */
  readonly values: readonly unknown[]
}

/** Writes rows from stored text, without parsing most of it: `writers` has the properties in the order of the API file. */
export function createReadRow(
  cls: Class,
  address: (id: string) => string,
  writers: ReadonlyMap<CsvProperty, CellWriter>,
): (member: Pick<StoredMember, 'id' | 'body'>) => ServedRow {
  const cells = [...writers].map(([{ kind }, writer]) => ({ isSingle: kind === 'single', writer }))
  const scan = createScanValues(wantedFor([...writers.keys()]))

  /** Undefined for a text that is not in the order of the class. */
  function read(id: string, body: string): ServedRow | undefined {
    const texts: string[] = []
    const values: unknown[] = []
    let text = address(id)
    let next = 0
    let isInOrder = true
    const skipTo = (index: number): void => {
      for (; next < index; next++) {
        if (cells[next]?.isSingle) text += ','
        else addValue(undefined)
      }
    }
    const addValue = (value: unknown): void => {
      texts.push(text)
      values.push(value)
      text = ''
    }
    scan(body, (index, from, to) => {
      const cell = cells[index]
      isInOrder &&= index >= next
      if (cell === undefined || !isInOrder) return
      skipTo(index)
      if (cell.isSingle) text += `,${cell.writer.ofJson(body, from, to)}`
      else addValue(JSON.parse(body.slice(from, to)))
      next++
    })
    skipTo(cells.length)
    texts.push(text)
    return isInOrder ? { texts, values } : undefined
  }

  return ({ id, body }) => {
    const found = read(id, body)
    if (found !== undefined) return found
    // A host with a later API file, whose classes have another order, has already migrated this member.
    return read(id, writeMember(cls, readText(body), '').body) as ServedRow
  }
}

/** The paths of properties as a tree. */
function wantedFor(properties: readonly CsvProperty[]): WantedValues {
  const wanted: PathTree = new Map()
  for (const [index, { path }] of properties.entries()) {
    let within = wanted
    for (const name of path.slice(0, -1)) {
      const found = within.get(name)
      const inner: PathTree = found instanceof Map ? found : new Map()
      within.set(name, inner)
      within = inner
    }
    within.set(path.at(-1) as string, index)
  }
  return wanted
}

type PathTree = Map<string, PathTree | number>
