import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksIn, readCondition, readConstant } from '../../../src/transfer/tables/condition.ts'

test('conditions are read as both databases write them; any other is not', () => {
  const rows: readonly (readonly [sql: string, condition: object | undefined])[] = [
    ["state IN ('a', 'b''c')", { column: 'state', choices: ['a', "b'c"] }],
    ['"my state" in (1, -2, NULL)', { column: 'my state', choices: [1, -2] }],
    ["a IS NULL OR a IN ('x')", { column: 'a', choices: ['x'] }],
    ["(state = ANY (ARRAY['a'::text, 'b'::text]))", { column: 'state', choices: ['a', 'b'] }],
    [
      "((state)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying(9)])::text[]))",
      { column: 'state', choices: ['a', 'b'] },
    ],
    ["(a = 'x'::text)", { column: 'a', choices: ['x'] }],
    ['((n >= 1) AND (n <= 5))', { column: 'n', minimum: 1, maximum: 5 }],
    ['n BETWEEN -1.5 AND 2', { column: 'n', minimum: -1.5, maximum: 2 }],
    ['n BETWEEN 1 AND 2 AND n < 9', { column: 'n', minimum: 1, maximum: 2, below: 9 }],
    ["(total > '0'::numeric)", undefined],
    ['(total > (0)::numeric)', { column: 'total', above: 0 }],
    ['length(a) <= 10', { column: 'a', maxLength: 10 }],
    ['(char_length((a)::text) >= 2)', { column: 'a', minLength: 2 }],
    ['a > b', undefined],
    ['a <> 1', undefined],
    ['a >= 1 AND b >= 1', undefined],
    ['a >= 1 OR a IS NULL', undefined],
    ["a NOT IN ('x')", undefined],
    ["a LIKE 'x%'", undefined],
    ['a IN (SELECT b FROM c)', undefined],
    ['a >= 1 AND a >= 2', undefined],
    ["lower(a) = 'x'", undefined],
    ['n >= 12345678901234567890', undefined],
    ['', undefined],
  ]
  for (const [sql, condition] of rows) assert.deepEqual(readCondition(sql), condition, sql)
})

test('the conditions of a table are found, and not what only looks like one', () => {
  const sql = `CREATE TABLE "check (" (a TEXT DEFAULT 'CHECK (x)' CHECK(a <> ')'), -- CHECK (y)
    b /* CHECK (z) */ INT, CONSTRAINT c check ((b > (1)) ))`
  assert.deepEqual(checksIn(sql), ["a <> ')'", '(b > (1)) '])
})

test('only constants are read as such', () => {
  const rows: readonly (readonly [sql: string, value: unknown])[] = [
    ["'a''b'::text", "a'b"],
    ['-1', -1],
    ["('x')", 'x'],
    ['1.50', 1.5],
    ['TRUE', true],
    ['now()', undefined],
    ["nextval('a'::regclass)", undefined],
    ["'a' || 'b'", undefined],
    ['NULL', undefined],
  ]
  for (const [sql, value] of rows) assert.equal(readConstant(sql), value, sql)
})
