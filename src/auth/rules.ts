// Also a door, for `config/`: nothing here loads argon2.
// The rules for paraphrases and names (authentication.md, Credentials; people.md, Names), the same wherever one is set.
import { randomInt } from 'node:crypto'
import { fold } from '../folding.ts'
import { type ProblemData, type Sentences, say, unplacedOf } from '../problem.ts'

/** Why a text cannot be a paraphrase or a name. */
export interface CredentialProblems {
  readonly ParaphraseEmpty: object
  readonly ParaphraseTooLong: { readonly maxBytes: number; readonly bytes: number }
  readonly ParaphraseCharacters: object
  readonly NameEmpty: object
  readonly NameTooLong: { readonly maxLength: number }
  readonly NameCharacters: object
  readonly NameOnlyDigits: object
}

/** None of them repeats the text: it may be a paraphrase in the wrong place. */
export const CREDENTIAL_SENTENCES: Sentences<CredentialProblems> = {
  ParaphraseEmpty: 'A passphrase must have at least one character; this one is empty.',
  ParaphraseTooLong: ({ maxBytes, bytes }) =>
    `A passphrase must have at most ${maxBytes} bytes of UTF-8; this one has ${bytes}.`,
  ParaphraseCharacters:
    'A passphrase must have no control characters (no line breaks, no tabs) and no byte order mark.',
  NameEmpty: 'A name must have at least one character; this one is empty.',
  NameTooLong: ({ maxLength }) => `A name must have at most ${maxLength} characters; this one has more.`,
  NameCharacters: 'A name must have no colon and no control characters (no line breaks, no tabs).',
  NameOnlyDigits:
    'A name must have at least one character that is not a digit, since digits alone are an id.',
}

const problem = unplacedOf<CredentialProblems>()

export const sayCredentialProblem = (found: ProblemData): string =>
  say(CREDENTIAL_SENTENCES[found.code as keyof CredentialProblems], found)

const MAX_BYTES = 1024
/** NFD is at most three times as long as NFC in UTF-8 (UAX #15, Expansion Factors). */
const NFD_EXPANSION = 3
export const MAX_SENT_BYTES: number = NFD_EXPANSION * MAX_BYTES
/** Never in stream-safe text (UAX #15 §13): normalising such a run takes the square of its length. */
const LONG_RUN = /\p{M}{31}/u

export type ReadParaphrase = { readonly paraphrase: string } | { readonly problem: ProblemData }

/**
 * Used both to set and to check a paraphrase, so that every paraphrase that can be set can also be sent. The limit of 1024
 * bytes applies to the NFC form; the NFD form, which may be longer, is the same paraphrase. Text that is too long for
 * either, or costly to normalise, is refused first.
 */
export function readParaphrase(text: string): ReadParaphrase {
  const sent = Buffer.byteLength(text)
  if (sent === 0) return { problem: problem('ParaphraseEmpty') }
  if (sent > MAX_SENT_BYTES || (sent > MAX_BYTES && LONG_RUN.test(text))) return tooLong(sent)
  const paraphrase = text.normalize('NFC')
  const bytes = Buffer.byteLength(paraphrase)
  if (bytes > MAX_BYTES) return tooLong(bytes)
  if (/[\p{Cc}\u{feff}]/u.test(paraphrase) || !paraphrase.isWellFormed())
    return { problem: problem('ParaphraseCharacters') }
  return { paraphrase }
}

const tooLong = (bytes: number): ReadParaphrase => ({
  problem: problem('ParaphraseTooLong', { maxBytes: MAX_BYTES, bytes }),
})

const MAX_LENGTH = 200
/** A character has at most four bytes. */
export const MAX_NAME_BYTES: number = NFD_EXPANSION * 4 * MAX_LENGTH

export type ReadName = { readonly name: string } | { readonly problem: ProblemData }

/** As for paraphrases: the limit applies to the NFC form, and text that is too long for it is not even normalised. */
export function readName(text: string): ReadName {
  if (text === '') return { problem: problem('NameEmpty') }
  if (Buffer.byteLength(text) > MAX_NAME_BYTES || (text.length > MAX_LENGTH && LONG_RUN.test(text)))
    return { problem: problem('NameTooLong', { maxLength: MAX_LENGTH }) }
  const name = text.normalize('NFC')
  if ([...name].length > MAX_LENGTH) return { problem: problem('NameTooLong', { maxLength: MAX_LENGTH }) }
  if (/[:\p{Cc}]/u.test(name) || !name.isWellFormed()) return { problem: problem('NameCharacters') }
  if (/^[0-9]*$/.test(name)) return { problem: problem('NameOnlyDigits') }
  return { name }
}

/** The form by which names are unique, and found at sign-in. */
export const nameKey = (name: string): string => fold(name)

const WORDS = 5

/** Five of 2,048 words, each with a capital or without: 60 random bits, behind a throttle. */
export async function makeParaphrase(): Promise<string> {
  // Loaded here, since few processes make one.
  const { wordlist } = await import('@scure/bip39/wordlists/english.js')
  return Array.from({ length: WORDS }, () => {
    const word = wordlist[randomInt(wordlist.length)] as string
    return randomInt(2) === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)
  }).join(' ')
}
