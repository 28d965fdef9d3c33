import type { Link } from '../store.ts'
import { numberArray, textArray } from './arrays.ts'
import type { Tables } from './tables.ts'

/** A class as its members are written. */
export interface WrittenClass {
  readonly name: string
  readonly tables: Tables
  readonly targets: LinkTargets
  readonly hasValues: boolean
  readonly hasWords: boolean
  /** The text of a statement, which depends on the class alone and on where its links lead. */
  textOf(form: Form): string
}

/** `targets`: undefined where no links are to be written. */
export type Form = (cls: WrittenClass, targets: readonly number[] | undefined) => string

/** `classId`: the number of a class, undefined where the database has none of this name. */
export function createWrittenClass(
  name: string,
  tables: Tables,
  classId: (name: string) => number | undefined,
): WrittenClass {
  const targets = createLinkTargets(name, classId)
  const texts = new Map<Form, { readonly count: number; readonly text: string }>()
  const cls: WrittenClass = {
    name,
    tables,
    targets,
    hasValues: tables.shapes.some(({ many }) => many),
    hasWords: tables.shapes.some(({ folded }) => folded),
    textOf(form) {
      const list = targets.list()
      // They only ever become more.
      const count = list?.length ?? -1
      const known = texts.get(form)
      if (known?.count === count) return known.text
      const text = form(cls, list)
      texts.set(form, { count, text })
      return text
    },
  }
  return cls
}

/** A name as a literal of SQL; those of classes are ours, and still not to be trusted with a quote. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A link as it is written, and where its target is looked for. */
export interface LinkRow {
  /** The place of its member among those that are written together. */
  readonly place: number
  /** The number of the class that it leads to. */
  readonly target: number
  readonly link: Link
}

/** Of a link to the very member that has it: it need not be there yet. */
const ITSELF = 0
/** Of a link to a class that the database does not have. */
const NOWHERE = -1

/**
 * Which classes the links of a class lead to, as far as they have been seen: statements look for targets in all of them,
 * so that their texts are few.
 */
interface LinkTargets {
  rowsOf(members: readonly { readonly id: string; readonly links: readonly Link[] }[]): LinkRow[]
  /** The numbers of the classes; undefined as long as there was no link at all. */
  list(): readonly number[] | undefined
}

/** `classId`: the number of a class, undefined where the database has none of this name. */
function createLinkTargets(className: string, classId: (name: string) => number | undefined): LinkTargets {
  const numbers = new Set<number>()
  let isSeen = false

  function targetOf(link: Link, id: string): number {
    isSeen = true
    if (link.className === className && link.id === id) return ITSELF
    const target = classId(link.className) ?? NOWHERE
    if (target !== NOWHERE) numbers.add(target)
    return target
  }

  return {
    rowsOf: (members) =>
      members.flatMap(({ id, links }, place) =>
        distinct(links).map((link) => ({ place, target: targetOf(link, id), link })),
      ),
    list: () => (isSeen ? [...numbers] : undefined),
  }
}

/**
 * `wanted`: the links that are to be written; `there_1` …: those of their targets that are there, by class, where
 * `locked` kept from being removed until the transaction ends; `dangling`: links to what is not there. The parameters are
 * those of `linkParams`, from `first` on.
 */
export const linkTables = (targets: readonly number[], first: number, locked = true): string => `
  wanted AS MATERIALIZED (
    SELECT * FROM unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::text[], $${first + 3}::text[],
      $${first + 4}::text[]) WITH ORDINALITY AS link (place, target, to_class, to_id, property, number)
  ),
  ${targets
    .map(
      (target, index) => `there_${target} AS MATERIALIZED (
    SELECT id FROM members_${target} WHERE id = ANY ($${first + 5 + index}::text[]) ${locked ? 'FOR KEY SHARE' : ''}
  ),`,
    )
    .join('\n')}
  dangling AS MATERIALIZED (
    SELECT place, number FROM wanted WHERE target <> ${ITSELF}
    ${targets
      .map((target) => `AND NOT (target = ${target} AND to_id IN (SELECT id FROM there_${target}))`)
      .join('\n')}
  )`

/** How many parameters `linkParams` gives. */
export const linkParamCount = (targets: readonly number[]): number => 5 + targets.length

export function linkParams(targets: readonly number[], rows: readonly LinkRow[]): string[] {
  return [
    numberArray(rows.map(({ place }) => place)),
    numberArray(rows.map(({ target }) => target)),
    textArray(rows.map(({ link }) => link.className)),
    textArray(rows.map(({ link }) => link.id)),
    textArray(rows.map(({ link }) => link.property)),
    ...targets.map((target) => textArray([...idsIn(rows, target)])),
  ]
}

/** Each once. */
const idsIn = (rows: readonly LinkRow[], target: number): Set<string> =>
  new Set(rows.filter((row) => row.target === target).map(({ link }) => link.id))

/** A property with many values may have a target twice. */
function distinct(links: readonly Link[]): readonly Link[] {
  return links.length < 2 ? links : [...new Map(links.map((link) => [linkName(link), link])).values()]
}

/** The same for the same links. */
export const linkName = ({ property, className, id }: Link): string => `${property}\n${className}\n${id}`
