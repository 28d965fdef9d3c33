import { isText, type Property } from './model.ts'
import { plural } from './names.ts'

/** The properties that usually name a member, the best first (asking.md, Labels). */
const USUAL = ['name', 'title', 'label']

/** The label of a class whose API file names none: one property, or none where the class has no text. */
export function usualLabel(properties: readonly Property[]): readonly string[] {
  const texts = properties.filter((property) => !property.many && isText(property))
  const usual = USUAL.flatMap((name) => texts.find((property) => property.name === name) ?? [])
  const found = usual[0] ?? texts.find(({ required }) => required) ?? texts[0]
  return found === undefined ? [] : [found.name]
}

/** What people call several members of a class: `TimeEntry` → "time entries", `APIKey` → "API keys". */
export function pluralWords(className: string): string {
  // Between a small letter and a capital, and before the last capital of several that a small letter follows.
  const words = className.split(/(?<=\P{Lu})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
  const spoken = words.map((word) => (/^\p{Lu}{2,}/u.test(word) ? word : word.toLowerCase()))
  return [...spoken.slice(0, -1), plural(spoken.at(-1) as string)].join(' ')
}
