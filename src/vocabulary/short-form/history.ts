import { type Class, type HistoryRule, storedClasses } from '../model.ts'
import type { FileEntries, FileEntry, FileValue } from './yaml.ts'

/** A number of days. */
const DAYS = /^([1-9][0-9]{0,4})d$/

const DAY_MS = 24 * 60 * 60 * 1_000

/** The classes with their histories (history.md, In the API file): what a class says comes before what the file says. */
export function withHistory(
  classes: readonly Class[],
  ofFile: FileEntries,
  ofClasses: ReadonlyMap<string, FileEntries>,
): Class[] {
  const forAll = readHistory(ofFile.get('history'))
  const stored = new Set(storedClasses({ classes }))
  return classes.map((cls) => {
    const entry = ofClasses.get(cls.name)?.get('history')
    const own = readHistory(entry)
    if (!stored.has(cls)) {
      entry?.key.problem('HistoryOfEmbedded', { className: cls.name })
      return cls
    }
    const history = own ?? forAll
    return cls.isBuiltIn || history === undefined || history === 'off' ? cls : { ...cls, history }
  })
}

/** Undefined if nothing is said. */
function readHistory(entry: FileEntry | undefined): HistoryRule | 'off' | undefined {
  if (entry === undefined) return undefined
  return readRule(entry.value) ?? entry.value.problem('InvalidHistoryRule')
}

function readRule({ json }: FileValue): HistoryRule | 'off' | undefined {
  if (json === true) return { ageMs: undefined }
  if (json === false) return 'off'
  const days = typeof json === 'string' ? DAYS.exec(json)?.[1] : undefined
  return days === undefined ? undefined : { ageMs: Number(days) * DAY_MS }
}
