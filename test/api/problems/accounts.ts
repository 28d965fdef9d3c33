import { apiProblem, apiViolation } from '../../../src/api/problems/index.ts'
import type { SentenceRow, ViolationRow } from './table.ts'

export const ACCOUNT_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('LastManager'),
    409,
    'This is the last account that may manage accounts; give that role to another one first.',
  ],
  [
    apiProblem('NotOwnAccount'),
    403,
    'Only the user of this account may change its passphrase with the current one.',
  ],
  [
    apiProblem('TooManyRequests', { retryAfterSeconds: 30 }),
    429,
    'Too many requests without signing in have come from this address; try again in 30 s, or sign in.',
  ],
]

export const ACCOUNT_VIOLATION_SENTENCES: readonly ViolationRow[] = [
  [
    apiViolation('UnknownRole', 'roles', { role: 'edtor', known: ['editor', 'author'] }),
    'has "edtor", which is not a role of this API; did you mean "editor"?',
  ],
  [
    apiViolation('UnknownRole', 'roles', { role: 'editor', known: [] }),
    'must be left out, since this API has no roles.',
  ],
  [
    apiViolation('NoNextUserId', 'userId'),
    'must be given, since no number follows the largest one that was used; choose one that is free.',
  ],
  [apiViolation('WrongParaphrase', 'current'), 'is not the passphrase of this account.'],
  [
    apiViolation('OwnParaphrase', 'paraphrase', { address: 'http://a/accounts/2/paraphrase' }),
    'cannot be changed here, since the account is your own; POST the current and the new one to http://a/accounts/2/paraphrase.',
  ],
  [apiViolation('RequiredText', 'new'), 'is required, and must be a string.'],
  [
    apiViolation('UnknownEntry', 'old', { name: 'old', known: ['current', 'new'] }),
    'is not understood here; possible: current, new.',
  ],
  [apiViolation('ParaphraseEmpty', 'new'), 'must have at least one character.'],
  [
    apiViolation('ParaphraseTooLong', 'new', { maxBytes: 1024, bytes: 2000 }),
    'must have at most 1024 bytes of UTF-8; this one has 2000.',
  ],
  [
    apiViolation('ParaphraseCharacters', 'new'),
    'must have no control characters (no line breaks, no tabs) and no byte order mark.',
  ],
  [apiViolation('NameEmpty', 'name'), 'must have at least one character.'],
  [apiViolation('NameTooLong', 'name', { maxLength: 200 }), 'must have at most 200 characters.'],
  [apiViolation('NameCharacters', 'name'), 'must have no colon and no control characters.'],
  [
    apiViolation('NameOnlyDigits', 'name'),
    'must have a character that is not a digit, since digits alone are an id.',
  ],
]
