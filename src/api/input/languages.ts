import { isObject, type JsonObject, type JsonValue } from '../../json.ts'
import { datatypeOf } from '../../vocabulary/datatypes.ts'
import type { ReadValue } from './literal.ts'

/** A map whose texts are all null, as a patch leaves it behind, has no value. */
export const isWithoutText = (sent: JsonValue): boolean => {
  const texts = isObject(sent) ? Object.values(sent) : []
  return texts.length > 0 && texts.every((text) => text === null)
}

/** Texts by language: one map, or value objects with a language each (JSON-LD 1.1 §4.2.4). */
export function readLanguages(sent: readonly JsonValue[]): ReadValue {
  const { read } = datatypeOf('langString')
  const texts: JsonObject = Object.create(null)
  for (const one of sent) {
    const pairs = pairsOf(one)
    if (pairs === undefined) return read(isValueObject(one) ? null : one)
    for (const [tag, text] of pairs) {
      if (tag in texts) return { message: `has two texts for ${JSON.stringify(tag.slice(0, 32))}; send one.` }
      texts[tag] = text
    }
  }
  return read(texts)
}

function pairsOf(sent: JsonValue): [string, JsonValue][] | undefined {
  if (!isObject(sent)) return undefined
  if (!isValueObject(sent)) return Object.entries(sent).map(([tag, text]) => [tag, unwrapped(text)])
  const { '@value': text = null, '@language': tag, ...rest } = sent
  return typeof tag === 'string' && Object.keys(rest).length === 0 ? [[tag, text]] : undefined
}

const isValueObject = (value: JsonValue): boolean => isObject(value) && '@value' in value

const unwrapped = (text: JsonValue): JsonValue =>
  Array.isArray(text) && text.length === 1 ? (text[0] ?? null) : text
