import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileChange } from '../../../src/members/index.ts'
import { describeFileChange, FILE_CHANGES } from '../../../src/service/problems/file-changes.ts'
import { testSentences } from '../../support/sentences.ts'

type Row = readonly [kind: FileChange['kind'], more: object, sentence: string]

const ROWS: readonly Row[] = [
  ['class added', {}, 'Book is new: compatible; hosts with the former file do not serve it.'],
  [
    'class removed',
    {},
    'Book is not in the file any more: compatible; hosts with the former file go on serving it, and its members stay stored.',
  ],
  [
    'added',
    { property: 'title' },
    'Book.title is new: compatible; hosts with the former file do not show it, and keep its values when they write.',
  ],
  [
    'added with default',
    { property: 'title' },
    'Book.title is new: compatible; hosts with the former file do not show it, and keep its values when they write; its default is filled in in the background; until then, a filter by it is 503.',
  ],
  [
    'added as required',
    { property: 'title' },
    'Book.title is new and required: compatible; each POST and PUT needs it, and a PATCH of other properties does not; hosts with the former file write members without it.',
  ],
  [
    'removed',
    { property: 'title' },
    'Book.title is not in the file any more: compatible; hosts with the former file go on showing and writing it, and its values stay stored.',
  ],
  [
    'required',
    { property: 'title' },
    'Book.title is required now: compatible; each POST and PUT needs it, and a PATCH of other properties does not; each host applies what its own file says.',
  ],
  [
    'optional',
    { property: 'title' },
    'Book.title is not required any more: compatible; at the next write, each host applies what its own file says.',
  ],
  [
    'constraints',
    { property: 'title' },
    'Book.title has other constraints: compatible; at the next write, each host applies what its own file says.',
  ],
  [
    'texts',
    {},
    'Book has another title, description, label or example: compatible; each host shows that of its own file.',
  ],
  [
    'access',
    {},
    'Book has other access rules: compatible; each host applies them from its restart on, so rights that are taken away are gone everywhere once the last host has this file.',
  ],
  [
    'reverse',
    { property: 'title' },
    'Book.title has another "reverse": compatible; each host shows that of its own file.',
  ],
  ['operations', {}, 'Book has other operations: compatible; each host offers those of its own file.'],
  [
    'default',
    { property: 'title' },
    'Book.title has another default: compatible; at the next write, each host applies what its own file says.',
  ],
  [
    'filled default',
    { property: 'title' },
    'Book.title has a default now: compatible; members without a value get it in the background; until then, a filter by it is 503.',
  ],
  [
    'filterable',
    { property: 'title' },
    'Book.title can be filtered by now: compatible; the keys of stored members are computed in the background; until then, a filter by it is 503.',
  ],
  [
    'not filterable',
    { property: 'title' },
    'Book.title cannot be filtered by any more: compatible; hosts with the former file go on answering filters by it.',
  ],
  [
    'searched',
    { property: 'title' },
    'Book.title is found by "q" in another way: compatible; the words of stored members are computed in the background; until then, "q" is 503.',
  ],
  [
    'not unique',
    { property: 'title' },
    'Book.title need not be unique any more: compatible; from the moment the first host starts with this file, no host refuses a second member with the same value.',
  ],
  [
    'history on',
    {},
    'Book has a history now: compatible; writes by hosts with the former file make no entries.',
  ],
  [
    'history off',
    {},
    'Book has no history any more: compatible; hosts with the former file go on making entries.',
  ],
  [
    'history',
    {},
    'Book keeps its history for another time: compatible; each host removes entries by its own file.',
  ],
  [
    'type',
    { property: 'pages', from: 'string', to: 'integer' },
    'Book.pages is integer now, and was string: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'renamed',
    { property: 'title', from: 'name' },
    'Book.title was "name": incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'unique',
    { property: 'title' },
    'Book.title must be unique now: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'class renamed',
    { from: 'Tome' },
    'Book was Tome: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'embedded',
    {},
    'Book is embedded now: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'single',
    {},
    'Book is a single resource now: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'forms',
    {},
    'Book has been changed too often since its members were last migrated: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
  [
    'earlier version',
    {},
    'Book is stored in the format of an earlier version of Hydrant: incompatible; all members of Book are migrated in one transaction at the first start, and hosts with the former file answer 503 for it.',
  ],
]

test('every change of an API file is said with what it means for the hosts', () => {
  for (const [kind, more, sentence] of ROWS) {
    const isCompatible = sentence.includes(': compatible; ')
    assert.equal(
      describeFileChange({ className: 'Book', kind, isCompatible, ...more } as FileChange),
      sentence,
    )
  }
})

testSentences(FILE_CHANGES, [
  [
    'IncompatibleFile',
    {
      changes: [
        {
          className: 'Book',
          property: 'pages',
          kind: 'type',
          isCompatible: false,
          from: 'string',
          to: 'integer',
        },
        { className: 'Tome', kind: 'class renamed', isCompatible: false, from: 'Volume' },
      ],
    },
    'With this API file, hosts with the former one could not go on serving: Book.pages is integer now, and was string; Tome was Volume. Start it without --migrate=compatible to migrate the members, or change the file.',
  ],
])
