import { isObject, type JsonValue, Numeral } from '../json.ts'

/** A string that can be stored alike on every store; or what is wrong with it, as the rest of a sentence. */
export function readString(value: JsonValue): { readonly value: string } | { readonly message: string } {
  if (typeof value !== 'string') return { message: `must be a string, not ${kindOf(value)}.` }
  // hypermedia.md, Filters: "U+0000 and lone surrogates in a string: 422."
  if (value.includes('\0')) return { message: 'must not contain the character U+0000.' }
  if (!value.isWellFormed())
    return { message: 'must not contain half a surrogate pair; send whole characters.' }
  return { value }
}

export function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (value instanceof Numeral) return 'a number'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Language-tagged text as JSON-LD maps it (JSON-LD 1.1 §4.2.4): one text for each language. */
export type LanguageMap = { readonly [tag: string]: string }

/** The shape of RFC 5646 §2.1, as JSON-LD and Turtle ask for it. */
const TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

const MOST_LANGUAGES = 1_000
const LONGEST_TAG = 100
const RIGHT = 'an object of texts by language such as {"en": "Hello", "de": "Hallo"}'

export function readLanguageMap(
  sent: JsonValue,
): { readonly value: LanguageMap } | { readonly message: string } {
  if (!isObject(sent)) return { message: `must be ${RIGHT}.` }
  const texts = new Map<string, string>()
  // Null is no value (JSON-LD 1.1 §4.2.4).
  for (const [tag, text] of Object.entries(sent).filter(([, one]) => one !== null)) {
    if (tag.length > LONGEST_TAG || !TAG.test(tag)) {
      return { message: `must be ${RIGHT}; ${shown(tag)} is not a language tag such as "en" or "en-GB".` }
    }
    const usual = usualSpelling(tag)
    if (texts.has(usual)) return { message: `has two texts for "${usual}"; send one.` }
    if (texts.size === MOST_LANGUAGES) return { message: `must have at most ${MOST_LANGUAGES} languages.` }
    const reading = readString(text)
    if ('message' in reading) return { message: `the text for "${usual}" ${reading.message}` }
    texts.set(usual, reading.value)
  }
  if (texts.size === 0) return { message: `must have a text in at least one language: ${RIGHT}.` }
  return { value: Object.fromEntries(texts) }
}

/** Equal for equal texts in equal languages, in whatever order. */
export const languageMapKey = (map: LanguageMap): string =>
  JSON.stringify(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * RFC 5646 §2.1.1: en-GB, zh-Hant-TW. One spelling for all: tags are equal regardless of case, and JSON-LD processors
 * change it as they like.
 */
function usualSpelling(tag: string): string {
  let afterSingleton = false
  return tag
    .toLowerCase()
    .split('-')
    .map((part, index) => {
      const plain = index === 0 || afterSingleton
      if (part.length === 1) afterSingleton = true
      if (plain) return part
      if (part.length === 2) return part.toUpperCase()
      return part.length === 4 ? part.charAt(0).toUpperCase() + part.slice(1) : part
    })
    .join('-')
}

const shown = (tag: string): string => JSON.stringify(tag.length > 32 ? `${tag.slice(0, 32)}…` : tag)
