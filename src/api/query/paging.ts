import { BoundedMap } from '../../bounded-map.ts'
import { MAX_TARGET } from '../../http/index.ts'
import { hasTie, type Order, type PageStart, type Position } from '../../members/index.ts'
import { sealedLength, type TextCipher } from '../../seal.ts'
import {
  type Class,
  filteredWithin,
  indexKey,
  type Key,
  keyForm,
  keyOf,
  restoredKey,
  shortenedKey,
  textKey,
} from '../../vocabulary/index.ts'
import { apiProblem, parameterProblem } from '../problems/index.ts'
import { fingerprint } from '../request.ts'
import type { Parameter, ParsedParameter } from './parameters.ts'
import type { Paths } from './path.ts'

/** Page numbers get slower as they grow, so members beyond this limit can be reached only by cursors. */
const DEEPEST = 10_000

/** Whether a page begins among the members that page numbers reach. */
export const isReachable = (page: number, limit: number): boolean => (page - 1) * limit < DEEPEST

/** A link in the response must not exceed the length limit of a target: percent-encoding can make a query three times as long. */
export function requireFollowable(targetLength: number): void {
  if (targetLength <= MAX_TARGET) return
  throw apiProblem('QueryTooLong', { bytes: targetLength, maxBytes: MAX_TARGET })
}

export interface PageSizes {
  readonly standard: number
  readonly maximum: number
  /** Maximum bytes of members on a page. */
  readonly bytes: number
}

/** The parameters of a query, by role. */
export type SentParameters = Partial<Record<Parameter['role'], ParsedParameter>>

/** The beginning of a page, and its maximum number of members. */
interface Paging {
  /** Undefined for paging by cursor. */
  readonly page: number | undefined
  readonly limit: number
  readonly start: PageStart
}

/** `canLink`: whether any cursor fits into a link of this query. Otherwise links have page numbers. */
export function readPaging(
  sent: SentParameters,
  sizes: PageSizes,
  cursors: Cursors,
  canLink: boolean,
): Paging {
  const { page, after, before, offset, itemsPerPage: size } = sent
  const limit = size === undefined ? sizes.standard : countIn(size, sizes.maximum)

  if (after !== undefined && before !== undefined)
    throw parameterProblem('ConflictingParameters', 'before', { others: ['after'] })
  const number = page ?? offset
  if (number !== undefined && (after ?? before) !== undefined)
    throw parameterProblem('ConflictingParameters', number.name, { others: ['after', 'before'] })
  if (page !== undefined && offset !== undefined)
    throw parameterProblem('ConflictingParameters', offset.name, { others: [page.name] })
  if (page !== undefined) return pageAt(countIn(page), limit)

  const byCursor = (start: PageStart): Paging => ({ page: undefined, limit, start })
  if (offset !== undefined) return byCursor({ at: 'offset', offset: readOffset(offset) })
  if (after !== undefined) return byCursor({ at: 'after', position: cursors.readAfter(firstValue(after)) })
  if (before !== undefined)
    return byCursor({ at: 'before', position: cursors.readBefore(firstValue(before)) })
  return canLink ? byCursor({ at: 'offset', offset: 0 }) : pageAt(1, limit)
}

const firstValue = ({ values }: ParsedParameter): string => values[0] ?? ''

const countIn = (sent: ParsedParameter, max?: number): number => readCount(sent.name, firstValue(sent), max)

/** How many members come before the page. */
function readOffset(sent: ParsedParameter): number {
  const offset = readWhole(sent.name, firstValue(sent), { least: 0 })
  if (offset < DEEPEST) return offset
  throw parameterProblem('OffsetTooFar', sent.name, { offset, reachable: DEEPEST })
}

function pageAt(page: number, limit: number): Paging {
  if (isReachable(page, limit)) return { page, limit, start: { at: 'offset', offset: (page - 1) * limit } }
  throw parameterProblem('PageTooFar', 'page', { page, reachable: DEEPEST })
}

/** Reads a whole number from 1. */
export const readCount = (parameter: string, text: string, max?: number): number =>
  readWhole(parameter, text, { least: 1, max })

interface CountBounds {
  readonly least: number
  readonly max?: number | undefined
}

function readWhole(parameter: string, text: string, { least, max }: CountBounds): number {
  const number = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= (max ?? Number.MAX_SAFE_INTEGER)) return number
  throw parameterProblem('InvalidCount', parameter, { text, least, max })
}

/** How many orders of a class are cached: creating the cursors of one takes longer than reading a member. */
const MAX_CACHED = 256

export function createCursorsFor(
  cls: Class,
  classes: PagedNames,
  seal: TextCipher,
): (order: readonly Order[]) => Cursors {
  const cache = new BoundedMap<string, Cursors>(MAX_CACHED)
  return (order) =>
    cache.getOrInsertComputed(order.map(nameOf).join(), () => createCursors(cls, order, { classes, seal }))
}

/** `+author.name`: one for each order that a class can have. */
const nameOf = ({ property, descending, through = [] }: Order): string => {
  const path = through.reduceRight((rest, step) => `${step.property}.${rest}`, property)
  return `${descending ? '-' : '+'}${path}`
}

/** Finds the classes that orders lead to. */
type PagedNames = Pick<Paths, 'classOf'>

/** The cursors of a class in one order. */
export interface Cursors {
  /** The cursor whose `before` selects the last members. */
  readonly end: string
  /** How many characters a cursor has at most. */
  readonly longest: number
  write(position: Position): string
  readAfter(cursor: string): Position
  readBefore(cursor: string): Position | 'end'
}

/**
 * Cursors are encrypted positions: other people may see an address, and it must not reveal the values at the end of a
 * page, nor how many members a class has had. The encrypted text has several parts, joined by U+0000, which no key has.
 * The first part identifies the order and the class, since a cursor is valid only there.
 */
export function createCursors(
  cls: Class,
  order: readonly Order[],
  { classes, seal: { seal, open } }: { readonly classes: PagedNames; readonly seal: TextCipher },
): Cursors {
  const forms = order.flatMap((one) => {
    const form = formAt(cls, one, classes)
    return hasTie(order, one) ? [form, SEQUENCE] : [form]
  })
  const signature = fingerprint(cls.name, JSON.stringify(order)).slice(0, 8)
  const end = seal(pack([signature, 'end']))

  const textOf = ({ keys, sequence }: Position): string =>
    pack([
      signature,
      writeSequence(sequence),
      ...keys.map((key, index) => (key === null ? '' : (forms[index] as KeyInCursor).write(key))),
      '',
    ])
  const longest = sealedLength(
    Buffer.byteLength(
      textOf({
        keys: forms.map(({ longest }) => longest),
        sequence: Number.MAX_SAFE_INTEGER,
      }),
    ),
  )

  /** Rejects a cursor that this deployment has not written. */
  function read(parameter: string, cursor: string): Position {
    const opened = cursor.length > Math.max(longest, LONGEST_CURSOR) ? undefined : open(cursor)
    if (opened === undefined) throw parameterProblem('InvalidCursor', parameter, {})
    const [signed, place, ...parts] = opened.split('\0')
    if (signed !== signature) throw parameterProblem('CursorOfOtherQuery', parameter, {})
    if (place === 'end') throw parameterProblem('InvalidCursor', parameter, {})
    const keys = forms.map((form, index) => {
      const part = parts[index] ?? ''
      return part === '' ? null : form.read(part)
    })
    return { keys, sequence: Number.parseInt(place ?? '', RADIX) }
  }

  return {
    end,
    longest,
    write: (position) => seal(textOf(position)),
    readAfter: (cursor) => read('after', cursor),
    readBefore: (cursor) => (cursor === end ? 'end' : read('before', cursor)),
  }
}

/** The last of all characters, of four bytes. */
const LAST = '\u{10ffff}'

/** How the keys of a property stand in a cursor: no part of it is empty. */
interface KeyInCursor {
  readonly longest: Key
  write(key: Key): string
  read(part: string): Key
}

const NUMBER: KeyInCursor = {
  longest: -Number.MAX_VALUE,
  write: (key) => `=${key}`,
  read: (part) => Number(part.slice(1)),
}
const STRING: KeyInCursor = {
  longest: indexKey(LAST.repeat(1_000)),
  write: (key) => `=${key}`,
  read: (part) => part.slice(1),
}
const TEXT: KeyInCursor = {
  longest: textKey(LAST.repeat(1_000)),
  write: (key) => shortenedKey(String(key)),
  read: restoredKey,
}

/** A cursor of any class with four texts: a longer text is refused without decryption, unless the order has such cursors. */
const LONGEST_CURSOR = sealedLength(4 * (Buffer.byteLength(String(TEXT.longest)) + 2) + 32)

const RADIX = 36

/** Padded to one length: encryption does not hide the length, which would reveal how much others have written. */
const writeSequence = (sequence: number): string => sequence.toString(RADIX).padStart(11, '0')

/** The sequence number of the member that an order leads to. */
const SEQUENCE: KeyInCursor = {
  longest: Number.MAX_SAFE_INTEGER,
  write: (key) => writeSequence(Number(key)),
  read: (part) => Number.parseInt(part, RADIX),
}

const pack = (parts: readonly string[]): string => parts.join('\0')

/** The form of the keys at the end of a path. */
function formAt(cls: Class, { property, through = [] }: Order, classes: PagedNames): KeyInCursor {
  const last = through.at(-1)
  if (last === undefined) return formOf(cls, property)
  const target = classes.classOf(last.className)
  if (target === undefined) throw new Error(`There is no class ${last.className}.`)
  return formOf(target, property)
}

/** Keys of a property are all strings or all numbers. */
function formOf(cls: Class, name: string): KeyInCursor {
  const property = [...cls.properties, ...filteredWithin(cls)].find((one) => one.name === name)
  if (property === undefined) throw new Error(`${cls.name} has no property ${name}.`)
  if (keyForm(property) === 'text') return TEXT
  return typeof keyOf(property, '1') === 'string' ? STRING : NUMBER
}
