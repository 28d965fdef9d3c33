import { foldingOnce } from '../../folding.ts'
import {
  addWords,
  createReadKeys,
  type KeyedProperty,
  type Keys,
  namesInKey,
  togetherKeyOf,
  wordStart,
} from '../../vocabulary/keys.ts'
import { type ClassSchema, propertyAt } from '../class-schema.ts'
import { merge } from '../hidden-values.ts'
import { type Form, type KeySlot, type Layout, searchOf } from '../layout.ts'
import type { MemberContent } from '../member.ts'
import { isHiddenLink, isObject, type MemberValues, readHidden, readText } from '../stored-text.ts'

// A host keeps what only hosts with other API files find members by (hosts.md, A changed API file): keys of properties that
// it changes, or whose embedded values it changes, and words. They are computed from all values, hidden ones too, by the
// types that the layout has.

type CompleteKeys = (content: MemberContent) => Keys

/** Completes the keys of a member, which are in the order of the columns; undefined where nothing has to be kept. */
export function createKeptKeys(
  { forms }: Pick<Layout, 'forms'>,
  { name: className, searched }: ClassSchema,
  slots: readonly KeySlot[],
): CompleteKeys | undefined {
  const kept = slots.flatMap(({ isKept, property }, index) =>
    isKept ? [{ index, read: createReadKept(propertiesIn(forms, className, property)) }] : [],
  )
  const { plain, others } = searchOf(forms)
  const isOwnSearch =
    [...plain, ...others.map((name) => `${name}*`)].sort().join() === searched.toSorted().join()
  const words = isOwnSearch ? undefined : createWords(forms)
  if (kept.length === 0 && words === undefined) return undefined
  return (content) => {
    const whole = withoutMarks(merge(readText(content.body), readHidden(content.hidden))) as MemberValues
    const values = [...content.keys.values]
    for (const { index, read } of kept) values[index] = read(whole)
    return { values, words: words?.(whole) ?? content.keys.words }
  }
}

/** The prefixes, besides plain words, of words in properties that an API file searches for everyone. */
export const keptStarts = ({ forms }: Layout, { searched }: ClassSchema): readonly string[] =>
  searchOf(forms)
    .others.filter((name) => searched.includes(name))
    .map(wordStart)

/** `undefined` for a type that no form has. */
function propertiesIn(forms: readonly Form[], className: string, key: string): (KeyedProperty | undefined)[] {
  return namesInKey({ property: key }).map((path) => {
    for (const { types } of forms) {
      const found = propertyAt(types, className, path)
      if (found !== undefined) return found
    }
    return undefined
  })
}

function createReadKept(
  properties: readonly (KeyedProperty | undefined)[],
): (values: MemberValues) => Keys['values'][number] {
  const [only] = properties
  if (properties.length > 1) return (values) => togetherKeyOf(properties, values)
  if (only === undefined) return () => null
  const readKeys = createReadKeys(only)
  return (values) => readKeys(values, foldingOnce())
}

/**
 * The words that all forms search. Those that the newest form searches for everyone are stored as they are, so that its
 * searches cost no more; the others begin with their property (`keptStarts`).
 */
function createWords(forms: readonly Form[]): (values: MemberValues) => readonly string[] {
  const { plain, others } = searchOf(forms)
  const searched = [
    ...plain.map((name) => ({ name, start: '' })),
    ...others.map((name) => ({ name, start: wordStart(name) })),
  ]
  return (values) => {
    const words = new Set<string>()
    const fold = foldingOnce()
    for (const property of searched) addWords(words, property, values, fold)
    return [...words]
  }
}

/** A hidden link is an object that has the path; a shown one is the path. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (isHiddenLink(value)) return value['@id']
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutMarks(one)]))
}
