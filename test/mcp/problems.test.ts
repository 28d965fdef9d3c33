import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BridgeProblem, type BridgeProblemCode } from 'hydrant-mcp'

/** Each sentence once: other tests look at codes. */
const SENTENCES: Readonly<Record<BridgeProblemCode, readonly [values: object, sentence: string]>> = {
  'address-missing': [{}, 'Give the address of an API: hydrant-mcp http://localhost:8080/api [--read-only].'],
  'address-invalid': [{}, 'That is not an address; give one such as http://localhost:8080/api.'],
  'credentials-in-address': [
    {},
    'An address must not contain credentials; leave them out, and set HYDRANT_USER and HYDRANT_PARAPHRASE_FILE.',
  ],
  'unknown-argument': [
    {},
    'The only arguments are the address of an API and --read-only; credentials come from HYDRANT_USER and HYDRANT_PARAPHRASE_FILE.',
  ],
  'user-missing': [{}, 'There is a passphrase, but no user: set HYDRANT_USER to the id or the name.'],
  'paraphrase-missing': [
    {},
    'HYDRANT_USER is set, but no passphrase: set HYDRANT_PARAPHRASE_FILE to the name of a file that contains it.',
  ],
  'two-paraphrases': [{}, 'Set HYDRANT_PARAPHRASE_FILE or HYDRANT_PARAPHRASE, but not both.'],
  'paraphrase-file-unreadable': [
    { file: 'agent.txt', systemCode: 'ENOENT' },
    'The file that HYDRANT_PARAPHRASE_FILE names cannot be read (ENOENT): agent.txt',
  ],
  'paraphrase-file-empty': [
    { file: 'agent.txt' },
    'The file that HYDRANT_PARAPHRASE_FILE names has no passphrase in its first line: agent.txt',
  ],
  'outside-api': [
    { base: 'http://localhost/api' },
    'This address is not part of the API; only addresses at http://localhost/api can be used.',
  ],
  'unknown-class': [
    { name: 'Boo"k', known: ['Author', 'Book'] },
    'The API has no class "Boo\\"k"; it has Author, Book.',
  ],
  'unknown-collection': [{ name: 'x', known: [] }, 'The API has no collection "x"; it has nothing.'],
  'not-a-filter': [
    { name: 'title' },
    'title: give a text, a number, true or false, or a list of these; an operator is part of the name, as in "pages.gte".',
  ],
  'not-alternatives': [
    {},
    'or: give an object for each group of alternatives, as in {"a": {"name": "Ann", "born.lt": "1900"}}.',
  ],
  'version-missing': [
    { operation: 'update' },
    'update needs ifMatch: read the member first, and send the etag of what you have read.',
  ],
  changed: [
    { address: 'http://localhost/api/books/1' },
    'http://localhost/api/books/1 has changed since it was read; nothing was written.',
  ],
  'unknown-operation': [
    { address: 'http://localhost/api/books/1', operation: 'shi', known: ['read', 'ship'] },
    'http://localhost/api/books/1 does not offer "shi" to you; it offers read, ship.',
  ],
  'body-missing': [{ operation: 'create' }, 'create needs a body.'],
  'text-cut': [
    {},
    'The body contains a value that was cut; read the rest first, or update only other properties.',
  ],
  'no-rest': [{ address: 'http://localhost/x' }, 'There is nothing more at http://localhost/x.'],
  'read-in-part': [
    {},
    'replace needs the whole member: read it at its address without fields, and use that address.',
  ],
  'paraphrase-in-body': [
    {},
    'Passphrases do not pass through an agent; a person adds accounts and sets passphrases in the console or with hydrant user.',
  ],
  'result-too-long': [
    { characters: 100_001, most: 100_000 },
    'The result has 100001 characters, more than 100000; ask for less, with fields or itemsPerPage in a query or an address.',
  ],
  'not-a-resource': [
    {},
    'This is neither a collection nor a member, so it is no resource; the tool "read" reads every address of the API.',
  ],
  'no-feed': [{}, 'This API does not report changes, so its resources cannot be subscribed to.'],
  'too-many-subscriptions': [
    { most: 16 },
    'There are 16 subscriptions already; end one before you begin another.',
  ],
}

test('Every problem of the bridge has a sentence', () => {
  for (const [code, [values, sentence]] of Object.entries(SENTENCES))
    assert.equal(new BridgeProblem(code as BridgeProblemCode, values as never).message, sentence)
})
