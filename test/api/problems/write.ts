import { apiProblem } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow } from './table.ts'

const LINKS = { shown: ['http://a/books/1'], hidden: [], isAllReadable: true, isTruncated: false }
const MANY = Array.from({ length: 12 }, (_, index) => `${index}`)
const MANY_NAMED = '0, 1, 2, 3, 4, 5, 6, 7, 8, 9'
const LEFT = 'Other members link to this one and would be left with a link to nothing'

export const WRITE_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('InvalidId'),
    400,
    'A new member cannot have this address: its last part must be 1 to 128 letters, digits, ".", "_", "~" and "-", and not "." or "..".',
  ],
  [
    apiProblem('Forbidden', {
      ...{ roles: ['editor'], owner: false, paths: [], operation: 'history', what: 'this member' },
    }),
    403,
    'Only an editor may see the history of this member.',
  ],
  [
    apiProblem('Forbidden', {
      roles: ['editor', 'author'],
      owner: false,
      paths: [],
      operation: 'create',
      what: 'articles',
    }),
    403,
    'Only an editor or an author may create articles.',
  ],
  [
    apiProblem('Forbidden', {
      roles: ['editor'],
      owner: true,
      paths: [],
      operation: 'update',
      what: 'this member',
    }),
    403,
    'Only an editor or its owner may update this member.',
  ],
  [
    apiProblem('Forbidden', {
      roles: [],
      owner: true,
      paths: ['assignee', 'project.members'],
      operation: 'update',
      what: 'this member',
    }),
    403,
    "Only its owner, its assignee or its project's members may update this member.",
  ],
  [
    apiProblem('Forbidden', {
      ...{ roles: ['editor'], owner: false, paths: ['assignee'], isForNamed: true },
      ...{ operation: 'update', what: 'this member' },
    }),
    403,
    'Only an editor, its assignee or a user whom it names may update this member.',
  ],
  [
    apiProblem('Forbidden', { roles: [], owner: false, paths: [], operation: 'delete', what: 'topics' }),
    403,
    'Nobody may delete topics.',
  ],
  [
    apiProblem('NotCreatable', { collection: 'books' }),
    403,
    'A member of books can be replaced but not created: the API file has no operation that creates one.',
  ],
  [
    apiProblem('NotReplaceable', { name: 'Home' }),
    403,
    'Home exists already, and the API file has no operation that replaces it.',
  ],
  [
    apiProblem('MemberNotFound', { collection: 'books', id: 'emma' }),
    404,
    'The collection books has no member "emma".',
  ],
  [
    apiProblem('MemberNotFound', { collection: 'books', id: 'emma', mayCreate: true }),
    404,
    'The collection books has no member "emma"; to create it, send If-None-Match: *.',
  ],
  [apiProblem('ResourceNotFound', { name: 'Home' }), 404, 'There is no Home yet.'],
  [
    apiProblem('ResourceNotFound', { name: 'Home', mayPut: true }),
    404,
    'There is no Home yet; PUT creates it.',
  ],
  [
    apiProblem('StillLinked', LINKS),
    409,
    'Other members link to this one and would be left with a link to nothing: http://a/books/1.',
  ],
  [
    apiProblem('StillLinked', {
      ...LINKS,
      shown: ['/books/1', '/books/2'],
      labels: { '/books/1': 'The Hobbit' },
    }),
    409,
    `${LEFT}: "The Hobbit" (/books/1), /books/2.`,
  ],
  [apiProblem('StillLinked', { ...LINKS, shown: MANY }), 409, `${LEFT}: ${MANY_NAMED} and 2 more.`],
  [
    apiProblem('StillLinked', { ...LINKS, shown: MANY, isTruncated: true }),
    409,
    `${LEFT}: ${MANY_NAMED} and at least 2 more.`,
  ],
  [
    apiProblem('StillLinked', { ...LINKS, shown: Array(1_100).fill('a'), isTruncated: true }),
    409,
    `${LEFT}: a, a, a, a, a, a, a, a, a, a and more than 1,000 more.`,
  ],
  [
    apiProblem('StillLinked', { ...LINKS, isAllReadable: false, isTruncated: true }),
    409,
    `${LEFT}: http://a/books/1 and others. Members that you may not read link to this one and would be left with a link to nothing.`,
  ],
  [
    apiProblem('StillLinked', { ...LINKS, shown: [], hidden: ['Draft 1'], isAllReadable: false }),
    409,
    'Members link to this one through a property or a class that the current API file does not show and would be left with a link to nothing: Draft 1. Delete them, or remove the link from them, under an API file that shows it. Members that you may not read link to this one and would be left with a link to nothing.',
  ],
  [
    apiProblem('StillLinked', { ...LINKS, takesOthers: true }),
    409,
    'Other members link to this one, or to one that would be deleted with it, and would be left with a link to nothing: http://a/books/1.',
  ],
  [
    apiProblem('RemovalForbidden', { deleted: ['http://a/books/1'], changed: [] }),
    409,
    'The removal would also delete http://a/books/1, which you may not delete.',
  ],
  [
    apiProblem('RemovalForbidden', { deleted: MANY, changed: ['http://a/notes/1', 'http://a/notes/2'] }),
    409,
    `The removal would also delete ${MANY_NAMED} and 2 more, which you may not delete, and take a link out of http://a/notes/1, http://a/notes/2, which you may not update.`,
  ],
  [
    apiProblem('RemovalTooLarge', { count: 1_234, isExact: true, max: 1_000 }),
    409,
    'The removal would also delete or change 1,234 other members, and at most 1,000 are allowed at once.',
  ],
  [
    apiProblem('RemovalTooLarge', { count: 10_000, isExact: false, max: 1_000 }),
    409,
    'The removal would also delete or change more than 10,000 other members, and at most 1,000 are allowed at once.',
  ],
  [
    apiProblem('RemovalTooLong'),
    409,
    'The other members that the removal would change are too large in total; take the links out of some of them first.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'changed' }),
    412,
    'The member has changed since it had the ETag in If-Match; read it again before you change it.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'nothingThere' }),
    412,
    'There is nothing at this address, but If-Match requires a member to be there.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'added' }),
    412,
    'This would add a new member, but If-Match requires one that exists; send it without If-Match.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'alreadyThere' }),
    412,
    'There is something at this address already, but If-None-Match: * requires that there is nothing.',
  ],
  [
    apiProblem('PreconditionFailed', { reason: 'ruledOut' }),
    412,
    'The member is in a state that If-None-Match rules out.',
  ],
  [
    apiProblem('PreconditionRequired'),
    428,
    'This server accepts changes only with an If-Match header; send the ETag that you read.',
  ],
  [
    apiProblem('ConcurrentChanges', { members: 'member', ...RETRY }),
    503,
    'Other requests are changing the same member; try again shortly.',
  ],
  [
    apiProblem('ConcurrentChanges', { members: 'members', ...RETRY }),
    503,
    'Other requests are changing the same members; try again shortly.',
  ],
]
