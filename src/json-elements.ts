import { type JsonObject, JsonReader } from './json.ts'

/** How the elements of a long list are read. */
interface ElementOptions {
  /** Levels of nesting that do not count, since they are around the text of one member. */
  readonly around: number
  /** Maximum number of characters of an element, and the error for a longer one. */
  readonly maxLength: number
  readonly tooLong: (index: number) => Error
  /** Awaited before each element. */
  readonly before: (index: number) => Promise<void> | undefined
}

/**
 * Reads an object as `readJson` does, but returns the list at `key` as the JSON texts of its elements, so that other
 * requests are served in between, and little memory is used. Undefined if the document is not an object.
 */
export async function readElements(text: string, key: string, options: ElementOptions) {
  const reader = new JsonReader(text, options.around)
  const { scanner } = reader
  const others: JsonObject = Object.create(null)
  let elements: string[] | undefined
  limitElement(reader, options, 0)
  if (scanner.peek() === '{') {
    reader.enter(1)
    if (!scanner.accept('}'))
      do {
        const name = reader.key(others)
        limitElement(reader, options, 0)
        if (name === key && scanner.peek() === '[') elements = await elementTexts(reader, options)
        others[name] = name === key && elements !== undefined ? null : reader.value(1)
      } while (reader.continues('}'))
    reader.requireEnd()
    return { elements, others }
  }
  reader.value(0)
  reader.requireEnd()
  return undefined
}

async function elementTexts(reader: JsonReader, options: ElementOptions): Promise<string[]> {
  const { scanner } = reader
  const elements: string[] = []
  reader.enter(2)
  if (scanner.accept(']')) return elements
  do {
    await options.before(elements.length)
    scanner.peek()
    const start = scanner.at
    limitElement(reader, options, elements.length)
    reader.value(2)
    elements.push(scanner.text.slice(start, scanner.at))
  } while (reader.continues(']'))
  return elements
}

const limitElement = ({ scanner }: JsonReader, { maxLength, tooLong }: ElementOptions, index: number): void =>
  scanner.limit(maxLength, () => tooLong(index))
