import { CR, LF, readFields, TOKEN, VALUE } from './head.ts'
import { MAX_HEAD_BYTES } from './limits.ts'
import { httpProblem } from './problems.ts'

/** Reads the content of one body out of the bytes of a connection (RFC 9112 §6 and §7). */
export interface BodyReader {
  readonly isDone: boolean
  /** Passes the content to `take`, and returns the end of the body in `bytes`. Throws if it is malformed. */
  read(bytes: Buffer, take: (content: Buffer) => void): number
}

export const createBodyReader = (length: number | 'chunked'): BodyReader =>
  length === 'chunked' ? new ChunkedReader() : new LengthReader(length)

class LengthReader implements BodyReader {
  #left: number

  constructor(length: number) {
    this.#left = length
  }

  get isDone(): boolean {
    return this.#left === 0
  }

  read(bytes: Buffer, take: (content: Buffer) => void): number {
    const end = Math.min(this.#left, bytes.length)
    this.#left -= end
    if (end > 0) take(end === bytes.length ? bytes : bytes.subarray(0, end))
    return end
  }
}

const QUOTE = 0x22
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const BACKSLASH = 0x5c
/** Enough for 4 GiB. */
const MAX_DIGITS = 8

/** The value of each hexadecimal digit, and 16 for other characters. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 16 : value
})

type State =
  | 'size'
  | 'extension name'
  | 'extension value'
  | 'quoted'
  | 'escaped'
  | 'after quoted'
  | 'end of size'
  | 'content'
  | 'CR of content'
  | 'LF of content'
  | 'trailer'
  | 'done'

/**
 * RFC 9112 §7.1, strictly. Chunk extensions and trailers are ignored, but must be well-formed and have at most 16 KiB
 * together, as a head; trailers are never taken for headers.
 */
class ChunkedReader implements BodyReader {
  #state: State = 'size'
  #size = 0
  /** Digits of a size, or characters of the name or value of an extension. */
  #count = 0
  #trailer = ''
  /** How many more bytes of extensions and trailers are allowed. */
  #left = MAX_HEAD_BYTES

  get isDone(): boolean {
    return this.#state === 'done'
  }

  read(bytes: Buffer, take: (content: Buffer) => void): number {
    let at = 0
    while (at < bytes.length && this.#state !== 'done') {
      if (this.#state === 'content') {
        const end = Math.min(at + this.#size, bytes.length)
        this.#size -= end - at
        take(bytes.subarray(at, end))
        at = end
        if (this.#size === 0) this.#state = 'CR of content'
      } else {
        this.#state = this.#after(bytes[at] as number)
        at += 1
      }
    }
    return at
  }

  /** The state after a byte that is not content. */
  #after(code: number): State {
    switch (this.#state) {
      case 'size':
        return this.#afterDigit(code)
      case 'extension name':
        if (code === EQUALS && this.#count > 0) return this.#begin('extension value')
        return this.#afterToken(code, 'extension name')
      case 'extension value':
        if (code === QUOTE && this.#count === 0) return this.#begin('quoted')
        return this.#afterToken(code, 'extension value')
      case 'quoted':
        if (code === QUOTE) return 'after quoted'
        return this.#spend(VALUE[code] === 1, code === BACKSLASH ? 'escaped' : 'quoted')
      case 'escaped':
        return this.#spend(VALUE[code] === 1, 'quoted')
      case 'after quoted':
        return this.#afterEnd(code)
      case 'end of size':
        if (code !== LF) throw httpProblem('MalformedRequest')
        return this.#size === 0 ? 'trailer' : 'content'
      case 'CR of content':
        if (code !== CR) throw httpProblem('MalformedRequest')
        return 'LF of content'
      case 'LF of content':
        if (code !== LF) throw httpProblem('MalformedRequest')
        return this.#begin('size')
      default:
        return this.#afterTrailer(code)
    }
  }

  #begin(state: State): State {
    this.#count = 0
    return state
  }

  #afterDigit(code: number): State {
    const digit = DIGITS[code] as number
    if (digit === 16) return this.#afterToken(code, undefined)
    this.#count += 1
    if (this.#count > MAX_DIGITS) throw httpProblem('MalformedRequest')
    this.#size = this.#size * 16 + digit
    return 'size'
  }

  /** The state within or at the end of a size, a name or a value, none of which may be empty. */
  #afterToken(code: number, state: State | undefined): State {
    if (code === CR || code === SEMICOLON) {
      if (this.#count === 0) throw httpProblem('MalformedRequest')
      return this.#afterEnd(code)
    }
    if (state === undefined) throw httpProblem('MalformedRequest')
    this.#count += 1
    return this.#spend(TOKEN[code] === 1, state)
  }

  #afterEnd(code: number): State {
    if (code === CR) return 'end of size'
    if (code === SEMICOLON) return this.#begin('extension name')
    throw httpProblem('MalformedRequest')
  }

  #spend(isValid: boolean, state: State): State {
    if (!isValid) throw httpProblem('MalformedRequest')
    this.#left -= 1
    if (this.#left < 0) throw httpProblem('HeadersTooLong')
    return state
  }

  #afterTrailer(code: number): State {
    this.#trailer += String.fromCharCode(code)
    if (code === LF) {
      if (this.#trailer === '\r\n') return 'done'
      const { headers } = readFields(this.#trailer, 0)
      // These trailers would contradict the head.
      if ('content-length' in headers || 'transfer-encoding' in headers) throw httpProblem('MalformedRequest')
      this.#trailer = ''
    }
    return this.#spend(true, 'trailer')
  }
}
