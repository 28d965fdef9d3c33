import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCredentials } from '../../packages/mcp/src/credentials.ts'
import { temporaryFolder } from '../support/service.ts'

// contract: Credentials come from `HYDRANT_USER`
test('Credentials come from the environment: a user, and a paraphrase or the file that has it', (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'agent.txt')
  const empty = join(folder, 'empty.txt')
  writeFileSync(file, 'five words of a paraphrase\r\nand a note\n')
  writeFileSync(empty, '\nwords\n')
  const paraphrase = 'five words of a paraphrase'
  const rows = [
    [{}, undefined],
    [{ HYDRANT_USER: '', HYDRANT_PARAPHRASE: '' }, undefined],
    [
      { HYDRANT_USER: '2', HYDRANT_PARAPHRASE: paraphrase },
      { id: '2', paraphrase },
    ],
    [
      { HYDRANT_USER: 'agent@studio.example', HYDRANT_PARAPHRASE_FILE: file },
      { id: 'agent@studio.example', paraphrase },
    ],
    [{ HYDRANT_USER: '2' }, 'paraphrase-missing'],
    [{ HYDRANT_PARAPHRASE: paraphrase }, 'user-missing'],
    [{ HYDRANT_USER: '2', HYDRANT_PARAPHRASE: paraphrase, HYDRANT_PARAPHRASE_FILE: file }, 'two-paraphrases'],
    [{ HYDRANT_USER: '2', HYDRANT_PARAPHRASE_FILE: empty }, 'paraphrase-file-empty'],
    [{ HYDRANT_USER: '2', HYDRANT_PARAPHRASE_FILE: join(folder, 'nothing') }, 'paraphrase-file-unreadable'],
  ] as const
  for (const [environment, expected] of rows) {
    if (typeof expected === 'string') assert.throws(() => readCredentials(environment), { code: expected })
    else assert.deepEqual(readCredentials(environment), expected)
  }
})
