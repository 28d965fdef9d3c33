// API files that follow each other at random over the same members: shelves, and books on them.
import type { Choose } from '../query/random-shelf.ts'

export const USERS = { sue: [33, 'staff'], tom: [34], eve: [35] } as const
export type UserName = keyof typeof USERS
export const NAMES = Object.keys(USERS) as UserName[]
export const isStaff = (user: UserName): boolean => user === 'sue'

export type Kind = 'shelf' | 'book'

/** What differs from file to file; all of it is about books. */
export interface ChangingFile {
  readonly className: 'Book' | 'Volume'
  readonly formerClass: string | undefined
  /** The name of a text that is renamed. */
  readonly memo: string
  readonly formerMemo: string | undefined
  readonly size: 'string' | 'integer'
  readonly hasExtra: boolean
  readonly keepsHistory: boolean
}

export interface Declared {
  readonly name: string
  readonly type: 'string' | 'integer' | Kind
  /** Who sees it, of those who see the member. */
  readonly view?: 'staff' | 'owner'
}

export const FIRST: ChangingFile = {
  ...{ className: 'Book', formerClass: undefined, memo: 'memo', formerMemo: undefined },
  ...{ size: 'string', hasExtra: true, keepsHistory: true },
}

const MEMOS = ['memo', 'remark', 'gloss'] as const

/** A file after this one, with one or two changes. */
export function fileAfter(last: ChangingFile, choose: Choose): ChangingFile {
  // A former name may stay in the file for long.
  const kept = choose(true, false) ? last : { ...last, formerClass: undefined, formerMemo: undefined }
  const changes: Readonly<Record<string, () => Partial<ChangingFile>>> = {
    className: () => ({
      className: last.className === 'Book' ? 'Volume' : 'Book',
      formerClass: last.className,
    }),
    memo: () => {
      const memo = choose(...MEMOS)
      return memo === last.memo ? {} : { memo, formerMemo: choose(last.memo, last.memo, undefined) }
    },
    size: () => ({ size: last.size === 'string' ? 'integer' : 'string' }),
    extra: () => ({ hasExtra: !last.hasExtra }),
    history: () => ({ keepsHistory: !last.keepsHistory }),
  }
  const names = choose(
    ['className'],
    ['memo'],
    ['memo', 'extra'],
    ['size'],
    ['extra', 'className'],
    ['history'],
    ['history', 'memo'],
  )
  return Object.assign({}, kept, ...names.map((name) => changes[name]?.()))
}

export const declaredOf = ({ memo, size, hasExtra }: ChangingFile, kind: Kind): Declared[] =>
  kind === 'shelf'
    ? [
        { name: 'name', type: 'string' },
        { name: 'note', type: 'string', view: 'owner' },
      ]
    : [
        { name: 'title', type: 'string' },
        { name: 'isbn', type: 'string' },
        { name: 'cost', type: 'string', view: 'staff' },
        { name: memo, type: 'string' },
        { name: 'size', type: size },
        ...(hasExtra ? [{ name: 'extra', type: 'string' } as const] : []),
        { name: 'shelf', type: 'shelf' },
        { name: 'sequel', type: 'book' },
      ]

export const collectionOf = ({ className }: ChangingFile, kind: Kind): string =>
  kind === 'shelf' ? 'shelves' : className === 'Book' ? 'books' : 'volumes'

export const keepsHistory = ({ keepsHistory: keeps }: ChangingFile, kind: Kind): boolean =>
  kind === 'shelf' || keeps

const MORE: Readonly<Record<string, string>> = {
  name: 'required: true',
  title: 'required: true',
  isbn: 'unique: true',
  shelf: 'onDelete: delete',
  sequel: 'onDelete: unset',
}

/** As the deployer writes it. */
export function textOf(file: ChangingFile): string {
  const { className, formerClass, formerMemo, memo } = file
  const properties = (kind: Kind) =>
    declaredOf(file, kind).map(({ name, type, view }) => {
      const range = { shelf: 'Shelf', book: className, string: 'string', integer: 'integer' }[type]
      const parts = [
        `type: ${range}`,
        ...(view === undefined ? [] : [`view: ${view}`]),
        ...(name === memo && formerMemo !== undefined ? [`was: ${formerMemo}`] : []),
        ...(MORE[name] === undefined ? [] : [MORE[name]]),
      ]
      return `      ${name}: { ${parts.join(', ')} }`
    })
  return [
    'roles: [admin, staff]',
    'accounts: { manage: admin, view: staff }',
    'access: { view: everyone, write: everyone }',
    'classes:',
    '  Shelf:',
    '    collection: shelves',
    '    history: true',
    '    properties:',
    ...properties('shelf'),
    `  ${className}:`,
    `    collection: ${collectionOf(file, 'book')}`,
    ...(formerClass === undefined ? [] : [`    was: ${formerClass}`]),
    `    history: ${file.keepsHistory}`,
    '    access: { view: [owner, staff], write: [owner, staff], create: everyone }',
    '    properties:',
    ...properties('book'),
  ].join('\n')
}
