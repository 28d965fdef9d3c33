import { isDatatypeName } from '../datatypes.ts'
import { CLASS_KEYS, PROPERTY_KEYS } from './keys.ts'
import { type FileEntries, type FileEntry, type FileValue, readEntries } from './yaml.ts'

const KEYS = Object.keys(CLASS_KEYS)

/** Keys whose values are maps, in which a property may be called `type`. */
const MAPS: readonly string[] = ['properties', 'access']

/** Keys that may be any text: the name of a type there is allowed, and more often a property that is not indented. */
const TEXTS: readonly string[] = ['title', 'description', 'collection', 'plural']

/** The keys of a class that have the name of a type as their text; a class may have its own name as its title. */
export const typedKeys = (
  entries: FileEntries,
  className: string,
  classNames: ReadonlySet<string>,
): readonly string[] =>
  TEXTS.filter((key) => {
    const text = entries.get(key)?.value.json
    return text !== className && isTypeName(text, classNames)
  })

/** The keys of a class. Among them are often properties that are not indented below `properties`. */
export function readClassKeys(
  { name: className, value }: FileEntry,
  classNames: ReadonlySet<string>,
): FileEntries {
  const isProperty = (name: string, said: FileValue) =>
    (isPropertyMap(said) && !MAPS.includes(name)) ||
    (isTypeName(said.json, classNames) && !KEYS.includes(name))
  const within = { kind: 'class', className } as const
  const entries = readEntries(value, within)
  for (const { name, key, value: said } of entries.values()) {
    if (isProperty(name, said)) key.problem('PropertyAmongKeys', { className, property: name })
    else if (!KEYS.includes(name)) key.problem('UnknownKey', { name, known: KEYS, within })
    else continue
    entries.delete(name)
  }
  return entries
}

const isTypeName = (text: unknown, classNames: ReadonlySet<string>): boolean =>
  typeof text === 'string' && (isDatatypeName(text) || classNames.has(text))

const isPropertyMap = (value: FileValue): boolean =>
  value.find('type') !== undefined &&
  value.names.every((name) => typeof name === 'string' && Object.hasOwn(PROPERTY_KEYS, name))
