import { badRequest, type HttpError } from '../../errors.ts'
import { listOf, readText, type Values } from '../../members/stored-text.ts'
import type { Order, Position, StoredMember } from '../../store/store.ts'
import type { Literal } from '../../vocabulary/datatypes.ts'
import { compareKeys, type Key, keyOf } from '../../vocabulary/keys.ts'
import type { Class, Property } from '../../vocabulary/model.ts'
import { fingerprint } from '../respond.ts'
import { textBehind } from './filters.ts'

/**
 * A place in a walk, opaque to clients: base64url of compact JSON. It says which order of which class it belongs to,
 * since it would lead astray in another one, and nothing that its holder could not read anyway.
 */
export interface Cursors {
  /** `before` this: the last members. */
  readonly end: string
  /** `member`: the one that stands there. `room`: how many characters the link has left for the cursor. */
  write(position: Position, member: Standing, room: number): string
  /** 400 that names the parameter for what was not written here. */
  readAfter(cursor: string): Place
  readBefore(cursor: string): Place | 'end'
  /**
   * The position with its whole keys again, from the member that stood there. Where that one is gone or has other keys,
   * a position that has all whose keys begin alike ahead of it: some may be seen again, none is left out.
   */
  restore(place: Place, towards: 'after' | 'before', member: StoredMember | undefined): Position
}

export interface Place {
  readonly position: Position
  /** Where keys were too long for a link and are cut short: which, and who stood there. */
  readonly cut: Cut | undefined
}

interface Cut extends Standing {
  readonly keys: readonly boolean[]
  /** Over the whole keys, by which they are recognised. */
  readonly digest: string
}

export type Standing = Pick<StoredMember, 'id'>

/** Of text that is sorted by, so much fits a link beside a query; the target of a request has at most 8 KiB. */
const LONGEST_KEYS = 4_000
const SHORTEST_KEY = 64
/** So many characters of a text are sorted by in every store. */
const SORTED_EVERYWHERE = 500

/** So many orders of a class are remembered: each has a signature, which takes as long as reading a member. */
const REMEMBERED = 256

/** The cursors of each order, made when it is first asked for. */
export function createCursorsFor(cls: Class): (order: readonly Order[]) => Cursors {
  const made = new Map<string, Cursors>()
  return (order) => {
    const key = order.map(({ property, descending }) => `${descending ? '-' : '+'}${property}`).join()
    const known = made.get(key)
    if (known !== undefined) return known
    const cursors = createCursors(cls, order)
    if (made.size >= REMEMBERED) made.clear()
    made.set(key, cursors)
    return cursors
  }
}

export function createCursors(cls: Class, order: readonly Order[]): Cursors {
  const properties = order.map(({ property }) => findProperty(cls, property))
  const signature = fingerprint(cls.name, JSON.stringify(order)).slice(0, 8)

  return {
    end: pack([signature, 'end']),

    write({ keys, sequence }, { id }, room) {
      // Base64 makes four characters of three bytes; the rest of a cursor has at most 200.
      const bytes = Math.min(LONGEST_KEYS, Math.floor(room * 0.75) - 200)
      const each = Math.max(SHORTEST_KEY, Math.floor(bytes / keys.length))
      const short = keys.map((key) => cutKey(key, each))
      // A list of one is a key that is cut.
      const isCut = short.some((key) => Array.isArray(key))
      return pack(isCut ? [signature, short, sequence, id, digestOf(keys)] : [signature, short, sequence])
    },

    readAfter: (cursor) => readPlace('after', open('after', cursor)),
    readBefore(cursor) {
      const content = open('before', cursor)
      return content[0] === 'end' && content.length === 1 ? 'end' : readPlace('before', content)
    },

    restore({ position, cut }, towards, member) {
      if (cut === undefined) return position
      const isCut = (index: number) => cut.keys[index] === true
      const whole = member === undefined ? undefined : wholeKeys(position.keys, isCut, readText(member.body))
      if (whole !== undefined && digestOf(whole) === cut.digest) return { ...position, keys: whole }
      const keys = position.keys.map((key, index) => {
        if (!isCut(index) || typeof key !== 'string') return key
        const isUpwards = (towards === 'after') !== order[index]?.descending
        const beginning = [...key].slice(0, SORTED_EVERYWHERE).join('')
        return isUpwards ? beginning : (textBehind(beginning) ?? beginning)
      })
      return { ...position, keys }
    },
  }

  function wholeKeys(
    keys: readonly (Key | null)[],
    isCut: (index: number) => boolean,
    values: Values,
  ): (Key | null)[] {
    return keys.map((key, index) => {
      const property = properties[index]
      return isCut(index) && typeof key === 'string' && property !== undefined
        ? wholeKey(key, property, values)
        : key
    })
  }

  /** What stands behind the signature, which must be the one of this order. */
  function open(parameter: string, cursor: string): readonly unknown[] {
    const [signed, ...content] = unpack(parameter, cursor)
    if (typeof signed !== 'string') throw broken(parameter)
    if (signed === signature) return content
    throw badRequest(
      `${parameter}: the cursor belongs to another order or another collection; begin again without it.`,
    )
  }

  function readPlace(parameter: string, content: readonly unknown[]): Place {
    const [sent, sequence, id, digest] = content
    if (!Array.isArray(sent) || sent.length !== properties.length || !isCount(sequence))
      throw broken(parameter)
    const isCut = sent.map((key) => Array.isArray(key) && key.length === 1)
    const keys = sent.map((key, index) => (isCut[index] ? key[0] : key))
    if (!keys.every((key, index) => fits(key, properties[index]))) throw broken(parameter)
    const position = { keys, sequence }
    if (!isCut.includes(true) && content.length === 2) return { position, cut: undefined }
    if (isCut.includes(true) && content.length === 4 && typeof id === 'string' && typeof digest === 'string')
      return { position, cut: { id, digest, keys: isCut } }
    throw broken(parameter)
  }
}

const digestOf = (keys: readonly (Key | null)[]): string => fingerprint(JSON.stringify(keys))

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Of a member with many values, the least that begins so. */
function wholeKey(key: string, property: Property, values: Values): Key {
  const keys = listOf(values, property).map((value) => String(keyOf(property, value as Literal)))
  const [found = key] = keys.filter((one) => one.startsWith(key)).sort(compareKeys)
  return found
}

function findProperty(cls: Class, name: string): Property {
  const found = cls.properties.find((property) => property.name === name)
  if (found === undefined) throw new Error(`${cls.name} has no property ${name}.`)
  return found
}

const pack = (content: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(content)).toString('base64url')

function unpack(parameter: string, cursor: string): readonly unknown[] {
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw broken(parameter)
  }
  // One spelling each: Buffer skips what is not base64url, and JSON has blanks.
  if (!Array.isArray(content) || pack(content) !== cursor) throw broken(parameter)
  return content
}

const broken = (parameter: string): HttpError =>
  badRequest(`${parameter}: this is no cursor; take it from a link of the view, whole and unchanged.`)

/** Keys of a property are all text or all numbers. */
function fits(key: unknown, property: Property | undefined): boolean {
  if (key === null) return true
  if (property === undefined || typeof key !== typeof keyOf(property, '1')) return false
  return typeof key !== 'string' || (key.isWellFormed() && !key.includes('\0'))
}

/** At a whole character; escapes of JSON count as they are written. */
function cutKey(key: Key | null, bytes: number): Key | null | [string] {
  if (typeof key !== 'string' || key.length * 6 <= bytes) return key
  let length = 0
  let end = 0
  for (const character of key) {
    length += Buffer.byteLength(JSON.stringify(character)) - 2
    if (length > bytes) return [key.slice(0, end)]
    end += character.length
  }
  return key
}
