import { describe } from 'node:test'
import { ACCESS } from '../../../src/service/problems/api-file.ts'
import { testSentences } from '../../support/sentences.ts'

describe('sentences about roles and access rules', () => {
  testSentences(ACCESS, [
    [
      'InvalidRole',
      {},
      'a role must be a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter',
    ],
    [
      'ReservedRole',
      { role: 'owner' },
      'a role cannot be called "owner", which has a meaning of its own in access rules; choose another name',
    ],
    ['DuplicateRole', { role: 'editor' }, '"editor" is in the roles twice; keep one of them'],
    [
      'RulesTwice',
      { className: undefined },
      'the API file has access rules for all classes already; keep those of one file',
    ],
    [
      'RulesTwice',
      { className: 'Book' },
      'the API file has access rules for Book already; keep those of one file',
    ],
    [
      'RulesOfEmbedded',
      { className: 'Address' },
      'Address has no operations of its own; give the rules to the class that embeds it',
    ],
    [
      'RuleWithoutOperation',
      { operation: 'delete' },
      'the class has no operation delete; add it to "operations", or remove this rule',
    ],
    [
      'UnknownGrantee',
      { name: 'editr', known: ['editor', 'everyone', 'owner', 'nobody'] },
      '"editr" is neither a role declared in "roles" nor one of everyone, owner and nobody; did you mean "editor"?',
    ],
    [
      'UnknownGrantee',
      { name: undefined, known: ['everyone', 'owner', 'nobody'] },
      'this is neither a role declared in "roles" nor one of everyone, owner and nobody; possible: everyone, owner, nobody',
    ],
    ['NoGrantee', {}, 'the list is empty; name roles, or write everyone or nobody'],
    ['NobodyAndOthers', {}, '"nobody" cannot be combined with others; remove it, or remove the others'],
    [
      'NoOwnerOfSingle',
      { className: 'Home' },
      'Home is a single resource, which has no owner; name roles or everyone',
    ],
    [
      'OwnerCannotCreate',
      { collection: 'books' },
      '"owner" says nothing about who may create books: a new member has no owner yet; name roles or everyone in "create", which takes precedence over "write" and "all"',
    ],
    [
      'ChangeWithoutRead',
      { who: 'editor', operations: ['update', 'delete'], what: 'books' },
      'editor may update, delete books but not read; allow both or neither',
    ],
    [
      'ChangeWithoutRead',
      { who: 'owner', operations: ['update'], what: 'books' },
      'the owner may update books but not read; allow both or neither',
    ],
  ])
})
