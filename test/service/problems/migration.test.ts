import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { incompatibleSentence, MIGRATION_SENTENCES } from '../../../src/service/problems/migration.ts'
import { valueProblem } from '../../../src/vocabulary/index.ts'
import { testSentences } from '../../support/sentences.ts'

// Each follows the property.
describe('sentences about members that are incompatible with an API file', () => {
  testSentences(MIGRATION_SENTENCES, [
    [
      'SeveralMembers',
      { total: 3, formerName: 'Page', name: 'Home' },
      'is one of 3 members of Page, and Home is a single resource in the API file. Give Home a collection, and delete all but one of them; otherwise give the class another name, which hides them.',
    ],
    [
      'NoSuchTarget',
      { id: 'emma', className: 'Author' },
      'links to "emma", which is not a member of Author.',
    ],
    [
      'DuplicateValue',
      { address: '/books/2', value: '"Emma"' },
      'must be unique, and /books/2 has "Emma" too.',
    ],
    [
      'DuplicateValues',
      { address: '/bills/2', properties: ['customer', 'number'], values: ['"ann"', '7'] },
      'must be unique together with number, and /bills/2 has "ann" and 7 too.',
    ],
    [
      'DuplicateValues',
      { address: '/bills/2', properties: ['customer', 'number'], values: [undefined, '7'] },
      'must be unique together with number, and /bills/2 has the same values too.',
    ],
    [
      'BothNamesUsed',
      { name: 'heading', was: 'title' },
      'has a value of its own, and the API file says that "heading" was "title", which has values too. Leave the "was" out if those of "heading" are the right ones; otherwise give the property another name.',
    ],
    ['OneValueNow', { count: 2 }, 'can have one value now, and has 2.'],
    [
      'CannotEmbed',
      { value: '"x"', className: 'Address' },
      '"x" cannot be converted to an embedded value of the class Address, which is an object with its properties.',
    ],
    [
      'CannotLink',
      { value: '5', collection: 'authors' },
      '5 cannot be converted to a link to a member of authors.',
    ],
    [
      'LinkNow',
      { value: '"/authors/1"', datatype: 'string' },
      '"/authors/1" is a link, and must be of type string now.',
    ],
    [
      'CannotConvert',
      { value: '"x"', problem: valueProblem('WrongDatatype', { datatype: 'integer' }) },
      '"x" cannot be converted to the type integer.',
    ],
    [
      'CannotConvert',
      { value: '5', problem: valueProblem('AboveMaximum', { maximum: 4 }) },
      '5 must be at most 4.',
    ],
  ])
})

test('each problem of each member is a line, with the names of both API files', () => {
  const violations = [
    { code: 'OneValueNow', at: { property: 'tags' }, values: { count: 2 }, newPath: 'tag' },
    { code: 'RequiredValue', at: { property: 'title' }, values: {} },
  ]
  const members = [{ className: 'Book', id: '1', address: '/books/1', newAddress: '/tomes/1', violations }]
  assert.deepEqual(incompatibleSentence(members).split('\n'), [
    'The database has members that are incompatible with this API file; change the file, or these members under the former one:',
    '  /books/1 (/tomes/1 in this file): tags: can have one value now, and has 2. It is called "tag" in this file.',
    '  /books/1 (/tomes/1 in this file): title: is required.',
  ])
})
