import { linkName } from '../member.ts'
import type { Link } from '../store.ts'
import { numberArray, textArray } from './arrays.ts'
import type { Tables } from './tables.ts'

/** A class as its members are written. */
export interface WrittenClass {
  readonly name: string
  readonly tables: Tables
  readonly hasValues: boolean
  readonly hasWords: boolean
  linkRows(members: readonly { readonly id: string; readonly links: readonly Link[] }[]): LinkRow[]
  /** The parameters for `linkTables`; none as long as no member of the class had a link. */
  linkParams(rows: readonly LinkRow[]): string[]
  /** Ask for it after `linkRows`: links may lead to a class that the text does not know yet. */
  textOf(form: Form): string
}

/**
 * The text of a statement. `targets`: the numbers of all classes that links were seen to lead to, so that texts are few;
 * undefined as long as there was no link.
 */
export type Form = (cls: WrittenClass, targets: readonly number[] | undefined) => string

/** A link as it is written, and where its target is looked for. */
export interface LinkRow {
  /** The place of its member among those that are written together. */
  readonly place: number
  /** The number of the class that it leads to. */
  readonly target: number
  readonly link: Link
}

/** The target of a link to the very member that has it, which need not be there yet. */
const ITSELF = 0
/** The target of a link to a class that the database does not have. */
const NOWHERE = -1

/** `classId`: the number of a class, undefined where the database has none of this name. */
export function createWrittenClass(
  name: string,
  tables: Tables,
  classId: (name: string) => number | undefined,
): WrittenClass {
  /** Only ever becomes longer. */
  let targets: readonly number[] | undefined
  let texts = new Map<Form, string>()

  function targetOf(link: Link, id: string): number {
    if (targets === undefined) seeTargets([])
    if (link.className === name && link.id === id) return ITSELF
    const target = classId(link.className) ?? NOWHERE
    if (target !== NOWHERE && !targets?.includes(target)) seeTargets([...(targets ?? []), target])
    return target
  }

  function seeTargets(all: readonly number[]): void {
    targets = all
    texts = new Map()
  }

  const cls: WrittenClass = {
    name,
    tables,
    hasValues: tables.shapes.some(({ many }) => many),
    hasWords: tables.shapes.some(({ long }) => long),
    linkRows: (members) =>
      members.flatMap(({ id, links }, place) =>
        distinct(links).map((link) => ({ place, target: targetOf(link, id), link })),
      ),
    linkParams: (rows) =>
      targets === undefined
        ? []
        : [
            numberArray(rows.map(({ place }) => place)),
            numberArray(rows.map(({ target }) => target)),
            textArray(rows.map(({ link }) => link.className)),
            textArray(rows.map(({ link }) => link.id)),
            textArray(rows.map(({ link }) => link.property)),
            ...targets.map((target) => textArray([...idsIn(rows, target)])),
          ],
    textOf(form) {
      const text = texts.get(form) ?? form(cls, targets)
      texts.set(form, text)
      return text
    },
  }
  return cls
}

/** How many parameters `linkParams` gives. */
export const linkParamCount = (targets: readonly number[] | undefined): number =>
  targets === undefined ? 0 : 5 + targets.length

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

/** Each once. */
const idsIn = (rows: readonly LinkRow[], target: number): Set<string> =>
  new Set(rows.filter((row) => row.target === target).map(({ link }) => link.id))

/** A property with many values may have a target twice. */
function distinct(links: readonly Link[]): readonly Link[] {
  return links.length < 2 ? links : [...new Map(links.map((link) => [linkName(link), link])).values()]
}

/** A name as a literal of SQL; names of classes are ours, and still not trusted with a quote. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
