import { HttpError } from '../errors.ts'
import { MAX_HEADERS } from './limits.ts'

// What is refused before the gate, the same for everyone (authentication.md, Before the gate).

export const malformed = (sentence: string): HttpError => new HttpError(400, sentence)

export const notWellFormed = (): HttpError => malformed('This is not well-formed HTTP/1.1.')

export const tooLarge = (): HttpError =>
  new HttpError(
    431,
    `The request line and the headers together are longer than 16 KiB, or more than ${MAX_HEADERS}.`,
  )

export const tooSlow = (): HttpError => new HttpError(408, 'The request was not sent in time.')
