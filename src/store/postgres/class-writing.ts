import { createLinkTargets, type LinkTargets } from './links.ts'
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
