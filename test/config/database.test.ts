import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDatabase } from '../../src/config/database.ts'
import { shownDatabase } from '../../src/database/index.ts'
import type { Problem } from '../../src/problem.ts'
import { isSettingProblem, linesOf } from '../../src/service/problems/index.ts'
import { inShort } from '../support/problems.ts'

const GOOD: readonly (readonly [address: string, shown: string])[] = [
  ['postgres://me:hush@host/db', 'postgres://host:5432/db'],
  ['postgresql://me@host:6432/db', 'postgres://host:6432/db'],
  ['postgres:///db', 'postgres://localhost:5432/db'],
  ['postgres://10.0.0.1/db?sslmode=verify-full', 'postgres://10.0.0.1:5432/db'],
  ['postgres://me:h%40%2Fush@host/db?search_path=other', 'postgres://host:5432/db?search_path=other'],
  ['postgres://me:hush@h1:5433,h2/db?target_session_attrs=read-write', 'postgres://h1:5433,h2:5432/db'],
  ['postgres://me@h1,h2/db?target_session_attrs=primary', 'postgres://h1:5432,h2:5432/db'],
  ['postgres://me@host/db?application_name=x&statement_timeout=9s', 'postgres://host:5432/db'],
  ['postgres://me:hush@host/db?replicas=s1,s2:5433', 'postgres://host:5432/db'],
  ['sqlite:hydrant.db', 'sqlite:hydrant.db'],
]

const BAD: readonly (readonly [address: string, problem: string])[] = [
  ['postgres:me:hush@host/db', 'NoSlashes(postgres)'],
  ['postgres://', 'NoDatabaseName'],
  ['postgres://me:hush@host', 'NoDatabaseName'],
  ['postgres://me:hush@host/', 'NoDatabaseName'],
  ['postgres://me:hu@sh@host/db', 'InvalidPostgresAddress'],
  ['postgres://me:hu/sh@host/db', 'InvalidPostgresAddress'],
  ['postgres://me:hu?sh@host/db', 'InvalidPostgresAddress'],
  ['postgres://me:hu#sh@host/db', 'InvalidPostgresAddress'],
  ['postgres://me:hush%@host/db', 'InvalidPercent'],
  ['postgres://me:hush@host:port/db', 'InvalidDatabaseHost(host:port)'],
  ['postgres://me:hush@host:0/db', 'InvalidDatabaseHost(host:0)'],
  ['postgres://me:hush@host:65536/db', 'InvalidDatabaseHost(host:65536)'],
  ['postgres://me:hush@h1,,h2/db', 'InvalidDatabaseHost()'],
  ['postgres://me:hush@/db', 'NoDatabaseHost'],
  ['postgres://@/db', 'NoDatabaseHost'],
  ['postgres://me:hush@[::1]:5432/db', 'InvalidDatabaseHost([::1]:5432)'],
  ['postgres://me:hush@host/db/other', 'InvalidPostgresAddress'],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=any', 'ReadOnlySession(of read-write … primary)'],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=standby', 'ReadOnlySession(of read-write … primary)'],
  [
    'postgres://me:hush@h1,h2/db?target_session_attrs=prefer-standby',
    'ReadOnlySession(of read-write … primary)',
  ],
  ['postgres://me:hush@h1,h2/db?target_session_attrs=read-only', 'ReadOnlySession(of read-write … primary)'],
  [
    'postgres://me:hush@h1,h2/db?target_session_attr=primary',
    'UnknownAddressParameter(target_session_attr, → target_session_attrs)',
  ],
  ['postgres://me:hush@host/db?sslmod=require', 'UnknownAddressParameter(sslmod, → sslmode)'],
  ['postgres://me:hush@host/db?SSLMODE=require', 'UnknownAddressParameter(SSLMODE, → sslmode)'],
  ['postgres://me:hush@host/db?searchpath=other', 'UnknownAddressParameter(searchpath, → search_path)'],
  ['postgres://me:hush@host/db?sslmode=verify-full&sslrootcert=ca.pem', 'RootCertificateParameter'],
  ['postgres://me:hush@host/db?sslmode=verify-ca', 'InvalidSslMode(of disable … verify-full, true)'],
  ['postgres://me:hush@host/db?search_path=a&search_path=b', 'DuplicateAddressParameter(search_path)'],
  ['postgres://me:hush@host/db?replicas=', 'InvalidReplica()'],
  ['postgres://me:hush@host/db?replicas=s1:5432,s2:port', 'InvalidReplica(s2:port)'],
  ['postgres://me:hush@host/db?replica=s1', 'UnknownAddressParameter(replica, → replicas)'],
  ['postgres://me:hush@host/db?search_path=', 'InvalidSearchPath'],
  ['postgres://me:hush@host/db?search_path=my%20own', 'InvalidSearchPath'],
  ['postgres://me:hush@host/db?search_path=my+own', 'InvalidSearchPath'],
  ['postgres://me:hush@host/db?search_path=public,hydrant', 'InvalidSearchPath'],
  ['"postgres://me:hush@host/db"', 'QuotedAddress'],
  ["'postgres://me:hush@host/db'", 'QuotedAddress'],
  [' postgres://me:hush@host/db', 'QuotedAddress'],
  ['postgres://me:hush@host/db ', 'QuotedAddress'],
  ['postgres://me:hush@host/db"', 'QuotedAddress'],
  ['"sqlite:hydrant.db"', 'QuotedAddress'],
  ['postgres://me:hush@host/db?sslmode=maybe', 'InvalidSslMode(of disable … verify-full, false)'],
  ['mysql://me:hush@host/db', 'UnknownDatabaseKind(mysql)'],
]

describe('the address of a database', () => {
  test('is taken as it is, and shown without user and password', () => {
    for (const [address, shown] of GOOD) {
      assert.equal(readDatabase(address), address)
      assert.equal(shownDatabase(address), shown)
    }
  })

  test('that is none is wrong usage that says what would be right, and never repeats a password', () => {
    for (const [address, problem] of BAD) {
      assert.throws(
        () => readDatabase(address),
        (error) => {
          assert.ok(isSettingProblem(error), String(error))
          const sentence = linesOf(error).join('\n')
          assert.equal(inShort(error as Problem), problem, address)
          assert.ok(!/hush|hu\b/.test(sentence), sentence)
          return true
        },
      )
      assert.ok(!/hu(?:sh)?\b/.test(shownDatabase(address)), address)
    }
  })
})
