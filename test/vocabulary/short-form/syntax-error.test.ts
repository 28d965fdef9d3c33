import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOf, withProperties } from '../api-files.ts'

/** What people write, and the place of the mistake, which is not always where the parser stops. */
const MISTAKES: readonly (readonly [text: string, problem: string])[] = [
  [`${withProperties('title: string')}     pages: integer`, '5:6 UnevenIndentation'],
  ['classes:\n  - Book:\n    properties:\n  title: x', '4:3 UnevenIndentation'],
  ['classes:\n  Book:\n    operations:\n      - list\n     - read', '5:6 MisplacedElement'],
  [withProperties('title: string', '  pages: integer'), '5:9 ContinuedValue'],
  ['classes:\n\tBook:\n\t\tproperties:', '2:1 TabAsIndentation'],
  ['title: Books: an API\nclasses: { A: }', '1:8 SecondColon'],
  ['classes:\n  Book: properties:\n    title: string', '2:9 SecondColon'],
  ['classes:\n  Book\n    properties:', '2:3 MissingColon'],
  ['title:Books\nclasses:\n  Book:', '1:1 MissingColon'],
  ['classes:\n  Book:\n    title: a\n    books', '4:5 MissingColon'],
  ['classes:\n  Book:\n    description: |\n    text\n    properties:', '4:5 MissingColon'],
  [withProperties('title:{ type: string }', 'pages: integer'), '4:7 MissingSpace(title, {)'],
  [withProperties('title:{type: string}'), '4:7 MissingSpace(title, {)'],
  [withProperties('title:{ type: string, required: true }'), '4:7 MissingSpace(title, {)'],
  [withProperties('title:{', '  type: string', '}'), '4:7 MissingSpace(title, {)'],
  [withProperties('pages: integer', 'title:[string]'), '5:7 MissingSpace(title, [)'],
  [withProperties('title:string'), '4:7 MissingSpace(title, string)'],
  ['classes:\n  Book: { properties: { title:string } }', '2:25 MissingSpace(title, string)'],
  ['classes:\n  Book:{ properties: { title: string } }', '2:3 MissingSpace(Book, {)'],
  ['classes:\n  Book:\n    properties:{ title: string }', '3:5 MissingSpace(properties, {)'],
  ['access:{ view: everyone }\nclasses: { A: }', '1:1 MissingSpace(access, {)'],
  ['classes: {\n  Book:{ properties: { title: { type: string required: true } } }\n}', '2:39 MissingComma'],
  [withProperties('title: { type: string required: true }'), '4:22 MissingComma'],
  ['{ "classes": { "Book": {} "Author": {} } }', '1:27 MissingComma'],
  ['{ "title "Books" }', '1:11 MissingComma'],
  [withProperties('title: { type: string,, required: true }'), '4:29 EmptyEntry'],
  ['title: a\n- b', '2:1 MisplacedElement'],
  [withProperties('title: string', '- pages'), '5:7 MisplacedElement'],
  ['classes:\n  Book:\n    operations: - list', '3:17 MisplacedElement'],
  [withProperties('title: { type: string', 'pages: integer'), '4:14 UnclosedBracket({, })'],
  ['classes:\n  Book:\n    operations: [list\n    label: a', '3:17 UnclosedBracket([, ])'],
  ['{ "classes": { "Book": {} }\n', '1:1 UnclosedBracket({, })'],
  ['[[a]', '1:1 UnclosedBracket([, ])'],
  [withProperties('title: { type: string } }'), '4:31 UnopenedBracket({, })'],
  ['classes:\n  Book:\n    operations: [list]]', '3:23 UnopenedBracket([, ])'],
  ['title: "Books\nclasses:\n  Book:', '1:8 UnclosedQuote(")'],
  ["title: 'Books\nclasses:\n  Book:", "1:8 UnclosedQuote(')"],
  ['classes:\n  Book:\n    title: "Book\n    description: "a book"', '3:12 UnclosedQuote(")'],
  ['{\n  "title": "Books,\n  "classes": {}\n}', '2:12 UnclosedQuote(")'],
  ['title: a\n"classes:', '2:1 UnclosedQuote(")'],
  ['title: "Books" and more\nclasses: { A: }', '1:16 TextAfterQuote'],
  ['title: "Books"# all\nclasses: { A: }', '1:15 JoinedComment'],
  ['title: "a\\d"\nclasses: { A: }', '1:10 UnknownEscape'],
  ...['@', '`', '%'].map(
    (character) => [`title: ${character}a\nclasses: { A: }`, `1:8 SpecialStart(${character})`] as const,
  ),
  ['title: & more\nclasses: { A: }', '1:8 SpecialStart(&)'],
  ['title: *Note* that\nclasses: { A: }', '1:8 SpecialStart(*)'],
  ['title: ? a\nclasses: { A: }', '1:8 SpecialStart(?)'],
  ['title: a\n---\nclasses: { A: }', '2:1 SecondDocument'],
  ['title: !a !b c', '1:11 InvalidYaml'],
]

for (const [text, problem] of MISTAKES)
  test(`${problem}: ${JSON.stringify(text)}`, () => assert.deepEqual(problemsOf(text), [problem]))

test('deep nesting that the parser still reads has a mistake like any other', () => {
  const [problem = ''] = problemsOf('['.repeat(500))
  assert.match(problem, /UnclosedBracket|InvalidYaml/)
})
