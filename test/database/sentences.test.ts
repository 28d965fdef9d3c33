import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpeningProblems, PostgresFailure } from '../../src/database/index.ts'
import { OPENING_SENTENCES } from '../../src/database/sentences.ts'
import { say } from '../../src/problem.ts'

const database = 'postgres://h:5432/db'

const sentenceOf = (code: keyof OpeningProblems, values: object): string =>
  say(OPENING_SENTENCES[code], { code, at: {}, values })

/** Those about PostgreSQL, each once. */
const SENTENCES: readonly (readonly [code: keyof OpeningProblems, values: object, expected: string])[] = [
  [
    'WrongEncoding',
    { encoding: 'LATIN1' },
    'postgres://h:5432/db keeps text as LATIN1, which cannot hold every character; name a database that was made with ENCODING UTF8. Nothing was changed.',
  ],
  [
    'WrongSearchPath',
    { schema: '"Big"' },
    'The search_path of postgres://h:5432/db is "\\"Big\\""; give one name of small letters, digits and _, such as ?search_path=hydrant. Nothing was changed.',
  ],
  [
    'AsynchronousCommit',
    {},
    'postgres://h:5432/db is to be used with synchronous_commit=off, which can lose writes that were acknowledged; leave that out of the address. Nothing was changed.',
  ],
  [
    'ForeignTables',
    { schema: 'theirs', tables: ['users', 'classes'] },
    `The schema "theirs" of postgres://h:5432/db has tables that are not Hydrant's (users, classes); name another one, such as ?search_path=hydrant. Nothing was changed.`,
  ],
]

const FAILURE: PostgresFailure = {
  reason: 'other',
  said: 'it says so',
  databaseName: 'db',
  schema: 'ours',
  source: 'HYDRANT_DB',
  triedUser: undefined,
  right: undefined,
}

/** Why PostgreSQL cannot be used, and what to do. */
const REASONS: readonly (readonly [failure: Partial<PostgresFailure>, expected: string])[] = [
  [{ reason: 'nothing listens' }, 'nothing listens there; start PostgreSQL, or put the address right'],
  [{ reason: 'unknown host' }, 'there is no such host; put the address right'],
  [
    { reason: 'no answer' },
    'it does not answer; see whether host and port are right, and whether a firewall is in between',
  ],
  [
    { reason: 'unknown authority' },
    'its certificate is of an authority that is not known here (it says so); name the file with that one (PEM) in the variable NODE_EXTRA_CA_CERTS',
  ],
  [
    { reason: 'wrong password' },
    'the user or the password is wrong (it says so); put it right in HYDRANT_DB',
  ],
  [
    { reason: 'wrong password', triedUser: 'root' },
    'the user or the password is wrong (it says so); the address names no user, so "root" was tried; name one in HYDRANT_DB, postgres://user:password@host/database',
  ],
  [{ reason: 'no database' }, 'there is no database db; make it with: createdb db'],
  [
    { reason: 'no right to the schema' },
    'the user may not use the schema ours; give the right: GRANT USAGE, CREATE ON SCHEMA ours TO …',
  ],
  [
    { reason: 'lacking right', right: 'connect' },
    'the user lacks a right (it says so); give it: GRANT CONNECT ON DATABASE db TO …',
  ],
  [
    { reason: 'lacking right', right: 'parameter' },
    'the user lacks a right (it says so); give it, or leave out of the address what it is for',
  ],
  [
    { reason: 'lacking right', right: 'schema' },
    'the user lacks a right (it says so); give it: GRANT USAGE, CREATE ON SCHEMA ours TO …',
  ],
  [
    { reason: 'lacking right', right: 'create' },
    'the user lacks a right (it says so); give it, such as: GRANT CREATE ON DATABASE db TO …',
  ],
  [{ reason: 'other' }, 'it says so'],
]

test('a person who starts Hydrant reads what is wrong with a PostgreSQL', () => {
  for (const [code, values, expected] of SENTENCES)
    assert.equal(sentenceOf(code, { database, ...values }), expected)
})

test('a person who starts Hydrant reads why PostgreSQL cannot be used, and what to do', () => {
  for (const [failure, expected] of REASONS) {
    const sentence = sentenceOf('PostgresNotOpened', { ...FAILURE, ...failure, database })
    assert.equal(sentence, `The database postgres://h:5432/db cannot be opened: ${expected}.`)
  }
})
