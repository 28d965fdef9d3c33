import type { CredentialProblems } from '../../auth/index.ts'
import type { ProblemAnswers } from '../../http/index.ts'
import type { Sentences } from '../../problem.ts'
import { suggestion } from '../../text.ts'

/** Problems of accounts (people.md, Accounts). */
export const ACCOUNT_PROBLEMS = {
  LastManager: {
    status: 409,
    sentence: 'This is the last account that may manage accounts; give that role to another one first.',
    help: 'Give the role to another account first: somebody must be able to manage accounts.',
  },
  NotOwnAccount: {
    status: 403,
    sentence: 'Only the user of this account may change its passphrase with the current one.',
    help: 'Sign in as the user of the account. A user who manages accounts sets a new passphrase with PATCH.',
  },
} as const satisfies ProblemAnswers

interface AccountViolations extends CredentialProblems {
  UnknownRole: { readonly role: string; readonly known: readonly string[] }
  /** No id was sent, and the largest one has been used. */
  NoNextUserId: object
  WrongParaphrase: object
  /** A manager has sent the own paraphrase with PATCH. */
  OwnParaphrase: { readonly address: string }
  RequiredText: object
  UnknownEntry: { readonly name: string; readonly known: readonly string[] }
}

export const ACCOUNT_VIOLATIONS: Sentences<AccountViolations> = {
  UnknownRole: ({ role, known }) =>
    known.length === 0
      ? 'must be left out, since this API has no roles.'
      : `has "${role}", which is not a role of this API; ${suggestion(role, known, '.')}`,
  NoNextUserId:
    'must be given, since no number follows the largest one that was used; choose one that is free.',
  WrongParaphrase: 'is not the passphrase of this account.',
  OwnParaphrase: ({ address }) =>
    `cannot be changed here, since the account is your own; POST the current and the new one to ${address}.`,
  RequiredText: 'is required, and must be a string.',
  UnknownEntry: ({ name, known }) => `is not understood here; ${suggestion(name, known, '.')}`,
  ParaphraseEmpty: 'must have at least one character.',
  ParaphraseTooLong: ({ maxBytes, bytes }) =>
    `must have at most ${maxBytes} bytes of UTF-8; this one has ${bytes}.`,
  ParaphraseCharacters: 'must have no control characters (no line breaks, no tabs) and no byte order mark.',
  NameEmpty: 'must have at least one character.',
  NameTooLong: ({ maxLength }) => `must have at most ${maxLength} characters.`,
  NameCharacters: 'must have no colon and no control characters.',
  NameOnlyDigits: 'must have a character that is not a digit, since digits alone are an id.',
}
