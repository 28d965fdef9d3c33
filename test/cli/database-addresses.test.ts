import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDatabase } from '../../src/config/database.ts'
import { shownDatabase } from '../../src/database/index.ts'
import { isSettingProblem, linesOf } from '../../src/service/problems/index.ts'

const GOOD: readonly (readonly [address: string, shown: string])[] = [
  ['postgres://me:hush@host/db', 'postgres://host:5432/db'],
  ['postgresql://me@host:6432/db', 'postgres://host:6432/db'],
  ['postgres:///db', 'postgres://localhost:5432/db'],
  ['postgres://10.0.0.1/db?sslmode=verify-full', 'postgres://10.0.0.1:5432/db'],
  ['postgres://me:h%40%2Fush@host/db?search_path=other', 'postgres://host:5432/db?search_path=other'],
  ['postgres://me:hush@h1:5433,h2/db?target_session_attrs=read-write', 'postgres://h1:5433,h2:5432/db'],
  ['postgres://me@h1,h2/db?target_session_attrs=primary', 'postgres://h1:5432,h2:5432/db'],
  ['postgres://me@host/db?application_name=x&statement_timeout=9s', 'postgres://host:5432/db'],
  ['sqlite:hydrant.db', 'sqlite:hydrant.db'],
]

const BAD: readonly (readonly [address: string, told: RegExp])[] = [
  ['postgres:me:hush@host/db', /two slashes; give postgres:\/\/user@host\/database/],
  ['postgres://', /name of the database is missing/],
  ['postgres://me:hush@host', /name of the database is missing/],
  ['postgres://me:hush@host/', /name of the database is missing/],
  ['postgres://me:hu@sh@host/db', /%40/],
  ['postgres://me:hu/sh@host/db', /%2F/],
  ['postgres://me:hu?sh@host/db', /%3F/],
  ['postgres://me:hu#sh@host/db', /%23/],
  ['postgres://me:hush%@host/db', /%25/],
  ['postgres://me:hush@host:port/db', /"host:port" is not a host/],
  ['postgres://me:hush@host:0/db', /"host:0" is not a host/],
  ['postgres://me:hush@host:65536/db', /"host:65536" is not a host/],
  ['postgres://me:hush@h1,,h2/db', /"" is not a host/],
  [
    'postgres://me:hush@/db',
    /host is missing after the @; give postgres:\/\/user:password@localhost\/database/,
  ],
  ['postgres://@/db', /host is missing after the @/],
  ['postgres://me:hush@[::1]:5432/db', /is not a host/],
  ['postgres://me:hush@host/db/other', /postgres:\/\/user:password@host:5432\/database/],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=any', /neither read-write nor primary/],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=standby', /neither read-write nor primary/],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=prefer-standby', /neither read-write nor primary/],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=read-only', /neither read-write nor primary/],
  ['postgres://me:hush@h1,h2/db?target_session_attr=primary', /did you mean "target_session_attrs"\?$/],
  ['postgres://me:hush@host/db?sslmod=require', /"sslmod" is no parameter.*did you mean "sslmode"\?$/],
  ['postgres://me:hush@host/db?SSLMODE=require', /did you mean "sslmode"\?$/],
  ['postgres://me:hush@host/db?searchpath=other', /did you mean "search_path"\?$/],
  ['postgres://me:hush@host/db?sslmode=verify-full&sslrootcert=ca.pem', /NODE_EXTRA_CA_CERTS/],
  [
    'postgres://me:hush@host/db?sslmode=verify-ca',
    /none of disable, .*, verify-full; .* such as verify-full/,
  ],
  ['postgres://me:hush@host/db?search_path=a&search_path=b', /search_path is there twice/],
  ['postgres://me:hush@host/db?search_path=', /one name of small letters.*\?search_path=hydrant/],
  ['postgres://me:hush@host/db?search_path=my%20own', /one name of small letters/],
  ['postgres://me:hush@host/db?search_path=my+own', /one name of small letters/],
  ['postgres://me:hush@host/db?search_path=public,hydrant', /one name of small letters/],
  ['"postgres://me:hush@host/db"', /quotes or spaces around the address.*--env-file/],
  ["'postgres://me:hush@host/db'", /quotes or spaces around the address/],
  [' postgres://me:hush@host/db', /quotes or spaces around the address/],
  ['postgres://me:hush@host/db ', /quotes or spaces around the address/],
  ['postgres://me:hush@host/db"', /quotes or spaces around the address/],
  ['"sqlite:hydrant.db"', /quotes or spaces around the address/],
  ['postgres://me:hush@host/db?sslmode=maybe', /sslmode is none of/],
  ['mysql://me:hush@host/db', /postgres:\/\/user@host\/database/],
]

describe('the address of a database', () => {
  test('is taken as it is, and shown without user and password', () => {
    for (const [address, shown] of GOOD) {
      assert.equal(readDatabase(address), address)
      assert.equal(shownDatabase(address), shown)
    }
  })

  test('that is none is wrong usage that says what would be right, and never repeats a password', () => {
    for (const [address, told] of BAD) {
      assert.throws(
        () => readDatabase(address),
        (error) => {
          assert.ok(isSettingProblem(error), String(error))
          const sentence = linesOf(error).join('\n')
          assert.match(sentence, told, address)
          assert.ok(!/hush|hu\b/.test(sentence), sentence)
          return true
        },
      )
      assert.ok(!/hu(?:sh)?\b/.test(shownDatabase(address)), address)
    }
  })
})
