import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { importsBelow } from './imports.ts'

/** Names that two types share, and why. */
const SHARED: Readonly<Record<string, string>> = {
  Link: 'of a member as it is stored, and as the client sees it: the client has no dependency',
  OperationCall:
    'of a program, with the types of its API file, and of the hooks that every call goes through',
  CustomOperation: 'as the API file describes it, and as a program implements it',
}

const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)[ <{=]/gm

test('a name stands for one type', () => {
  const declared = new Map<string, string[]>()
  for (const folder of ['src', 'console', 'packages/client/src', 'packages/mcp/src'])
    for (const file of importsBelow(folder).keys())
      for (const [, name = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(DECLARATION))
        declared.set(name, [...(declared.get(name) ?? []), file])
  const shared = [...declared].filter(([, files]) => files.length > 1)
  assert.deepEqual(
    shared.filter(([name]) => SHARED[name] === undefined),
    [],
  )
  assert.deepEqual(shared.map(([name]) => name).sort(), Object.keys(SHARED).sort())
})
