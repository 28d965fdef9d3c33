import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveTools } from 'hydrant-mcp'
import { readArguments } from '../../packages/mcp/src/arguments.ts'

const URL = 'http://localhost:8080/api'

test('The address of an API and --read-only are the only arguments', () => {
  const rows = [
    [[URL], '', false],
    [[URL, '--read-only'], '', true],
    [['--read-only', URL], 'off', true],
    [[URL], 'on', true],
    [[URL], 'maybe', true],
    [[URL], 'False', false],
    [[URL, '--no-read-only'], '1', false],
  ] as const
  for (const [args, variable, isReadOnly] of rows)
    assert.deepEqual(readArguments(args, { HYDRANT_READ_ONLY: variable }), { url: URL, isReadOnly })
  assert.throws(() => readArguments([], {}), { code: 'address-missing' })
  for (const args of [
    [URL, 'secret'],
    [URL, '--paraphrase', 'secret'],
    [URL, '--read-only=secret'],
  ])
    assert.throws(() => readArguments(args, {}), { code: 'unknown-argument', message: /^((?!secret).)*$/ })
})

test('An address that is none, or that has credentials, is refused and not repeated', async () => {
  for (const [url, code] of [
    ['nonsense', 'address-invalid'],
    ['file:///etc/passwd', 'address-invalid'],
    ['http://2:secret@localhost/api', 'credentials-in-address'],
  ] as const)
    await assert.rejects(serveTools({ url, isReadOnly: true, environment: {} }), {
      code,
      message: /^((?!secret|nonsense|passwd).)*$/,
    })
})
