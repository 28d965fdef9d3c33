import { type Awaitable, databaseProblem } from '../database/index.ts'
import { withKeptWords } from './asked-words.ts'
import type { ClassSchema, Converted } from './class-schema.ts'
import { type HistoryEntry, type HistoryStore, readLinks } from './history.ts'
import { createKeptKeys, keptStarts } from './keys/kept.ts'
import { createIsKeyPending, type IsKeyPending } from './keys/pending.ts'
import { usedKeys } from './keys/used.ts'
import { formNumber, type KeySlot, type Layout } from './layout.ts'
import type { Compute, Link, MemberContent, StoredMember, TransactionStep, WholeText } from './member.ts'
import { type MemberStore, type Page, readOtherwise } from './member-store.ts'
import { createFilling } from './migration/filling.ts'
import type { StoredClass } from './migration/plan.ts'
import type { ConvertedMember, MemberRow } from './migration/statements.ts'
import type { Selection } from './selection.ts'
import { filledIn, withFilled } from './stored-text.ts'
import type { SummarySelection } from './summary.ts'

// Members of a class to which hosts with different API files write (layout.ts), as a host with one of the files sees them.

/** How a store handles the members of a class whose rows have forms. */
export interface ClassForms {
  readonly isPending: IsKeyPending
  /** The member in the form of the host's API file. */
  convert(member: StoredMember): StoredMember & WholeText
  convertEntry<Entry extends HistoryEntry & { storedLinks?: string }>(entry: Entry): Entry
  /** The same for a stored row, with its keys in the order of the columns. */
  convertRow(row: MemberRow): ConvertedMember
  /** The prefixes of words, besides plain words, that the host's API file searches. */
  readonly wordStarts: readonly string[]
  /** The member with its keys in the order of the columns, and with those that other API files need. */
  arrange<T extends MemberContent>(content: T): T
  /** How `compute` changes a member that may have another form. */
  changed(current: StoredMember & WholeText, compute: Compute): MemberContent
}

/** How far the keys of a class are, in percent. */
export type KeyProgress = (className: string) => number

/**
 * A row has the form of a file that a host has joined with since this one read the layout. The layout says which defaults
 * such rows lack, so it has to be read again.
 */
export class UnknownForm extends Error {}

type FormerText = [form: number, hidden: string, links: [property: string, className: string, id: string][]]

export function createClassForms(
  stored: StoredClass & { readonly layout: Layout },
  shape: ClassSchema,
  slots: readonly KeySlot[],
): ClassForms {
  const { layout } = stored
  const own = layout.forms.find(({ fingerprint }) => fingerprint === formNumber(shape))
  const fillingOf = createFilling(stored, shape, own?.since ?? 0)
  const ownDefaults = new Set(own?.defaults)
  const defaultsOf = new Map(layout.forms.map(({ fingerprint, defaults }) => [fingerprint, defaults]))
  const isInOrder = slots.every(
    ({ source, isForeign, isKept }) => source === undefined && !isForeign && !isKept,
  )
  const complete = stored.isShared ? createKeptKeys(layout, shape, slots) : undefined
  const none = slots.map(({ many }) => (many ? [] : null))

  function convert(member: StoredMember): StoredMember & WholeText {
    const { former = '[0, "", []]', ...rest } = member
    const [form, hidden, rows] = JSON.parse(former) as FormerText
    if (stored.isShared && !defaultsOf.has(form)) throw new UnknownForm(`A row has the form ${form}.`)
    const links = rows.map(([property, className, id]): Link => ({ property, className, id }))
    const { body, baseUrlOffsets } = member
    const text = { body, baseUrlOffsets, hidden }
    const content = convertText({ ...text, form, links })
    return { ...rest, body: content.body, baseUrlOffsets: content.baseUrlOffsets, hidden: content.hidden }
  }

  /** Records which defaults of other files have filled the member: a host with such a file does not fill it again. */
  function convertText(stored: Pick<MemberRow, keyof WholeText | 'form' | 'links'>): Converted {
    const converted = shape.convert(stored, stored.links, fillingOf(stored))
    const content = 'violations' in converted ? shape.convertEntry(stored, stored.links) : converted
    const filled = new Set([...(defaultsOf.get(stored.form ?? 0) ?? []), ...filledIn(stored.hidden)])
    return {
      ...content,
      hidden: withFilled(
        content.hidden,
        [...filled].filter((name) => !ownDefaults.has(name)),
      ),
    }
  }

  function arrange<T extends MemberContent>(content: T): T {
    if (isInOrder && complete === undefined) return content
    const { keys } = content
    const values = slots.map(({ source, isForeign, isKept }, index) =>
      isForeign || isKept ? (none[index] ?? null) : (keys.values[source ?? index] ?? null),
    )
    const arranged = { ...content, keys: { ...keys, values } }
    return complete === undefined ? arranged : { ...arranged, keys: complete(arranged) }
  }

  return {
    isPending: createIsKeyPending(shape, slots, own),
    wordStarts: stored.isShared ? keptStarts(layout, shape) : [],
    convert,
    arrange,
    convertRow(row) {
      return { ...arrange(convertText(row)), row, version: row.version }
    },
    convertEntry(entry) {
      const { body, baseUrlOffsets, hidden } = shape.convertEntry(entry, readLinks(entry.storedLinks ?? ''))
      const converted = { ...entry, body, baseUrlOffsets, hidden }
      delete converted.storedLinks
      return converted
    },
    changed(current, compute) {
      return arrange(compute(current.former === undefined ? current : convert(current)))
    },
  }
}

type FormsOf = (className: string) => ClassForms | undefined

/** The store of a host: members in the form of its API file, and keys where their columns are. */
export function withForms(store: MemberStore, formsOf: FormsOf, progress: KeyProgress): MemberStore {
  const shown = <T extends StoredMember>(className: string, member: T): T =>
    member.former === undefined ? member : ((formsOf(className)?.convert(member) ?? member) as T)
  const shownPage = (className: string, page: Page): Page =>
    page.members.some(({ former }) => former !== undefined)
      ? { ...page, members: page.members.map((one) => shown(className, one)) }
      : page
  const arranged = <T extends MemberContent>(className: string, member: T): T => {
    const forms = formsOf(className)
    return forms === undefined ? member : forms.arrange(member)
  }
  const step = (one: TransactionStep): TransactionStep => {
    if (one.kind === 'add') return { ...one, member: arranged(one.className, one.member) }
    if (one.kind === 'change') return { ...one, written: arranged(one.className, one.written) }
    if (one.kind !== 'page') return one
    const selection = asked(one.className, one.selection)
    return { ...one, selection, ...(one.after && { after: one.after.map(step) as typeof one.after }) }
  }
  const asked = <T extends Selection | SummarySelection>(className: string, selection: T): T =>
    withKeptWords(className, selection, (name) => formsOf(name)?.wordStarts ?? [])

  function requireReady(...asked: Parameters<typeof usedKeys>): void {
    for (const { className, property } of usedKeys(...asked)) {
      if (formsOf(className)?.isPending(property))
        throw databaseProblem('KeysPending', {
          ...{ className, property: property ?? 'q', percent: progress(className) },
          retryAfterSeconds: 5,
        })
    }
  }

  /** The same reads of any server. */
  const shownReads = <Reads extends Pick<MemberStore, 'find' | 'list'>>(reads: Reads) => ({
    find: (className: string, id: string) =>
      then(reads.find(className, id), (one) => one && shown(className, one)),
    list(className: string, selection: Selection) {
      requireReady(className, selection)
      return then(reads.list(className, asked(className, selection)), (page) => shownPage(className, page))
    },
  })

  const { standby, findWithHidden, findAll, summarize, add, addAll, change, writeAll, listAfter } = store
  return {
    ...store,
    ...shownReads(store),
    ...(standby && {
      standby() {
        const reads = standby()
        return reads && readOtherwise(reads, shownReads(reads))
      },
    }),
    findWithHidden: (className, id) =>
      then(findWithHidden(className, id), (one) => one && shown(className, one)),
    findAll: (className, ...rest) =>
      then(findAll(className, ...rest), (all) => all.map((one) => shown(className, one))),
    summarize(className, query) {
      requireReady(className, query)
      return summarize(className, asked(className, query))
    },
    add: (className, member) => add(className, arranged(className, member)),
    addAll: (members) =>
      addAll(members.map(({ className, member }) => ({ className, member: arranged(className, member) }))),
    change: (className, id, expected, compute) =>
      change(className, id, expected, (current) => {
        const forms = formsOf(className)
        return forms === undefined ? compute(current) : forms.changed(current, compute)
      }),
    writeAll: (steps) => writeAll(steps.map(step)),
    writeAllLocked: (members, compute) =>
      store.writeAllLocked(members, async (locked) =>
        (await compute({ listAfter: listedAfter(locked) })).map(step),
      ),
    listAfter: listedAfter({ listAfter }),
  }

  function listedAfter(within: Pick<MemberStore, 'listAfter'>): MemberStore['listAfter'] {
    return async (steps, className, selection) => {
      requireReady(className, selection)
      const found = await within.listAfter(steps.map(step), className, asked(className, selection))
      return 'outcome' in found ? found : shownPage(className, found)
    }
  }
}

/** Continues without a turn of the event loop if the store has answered at once. */
const then = <T, Result>(found: Awaitable<T>, work: (found: T) => Result): Awaitable<Result> =>
  found instanceof Promise ? found.then(work) : work(found)

/** Entries say nothing of their form: where a class has several, each is converted. */
export function withConvertedEntries(store: HistoryStore, formsOf: FormsOf): HistoryStore {
  const shown = <Entry extends HistoryEntry>(className: string, entry: Entry): Entry =>
    formsOf(className)?.convertEntry(entry) ?? entry
  const { list, find, findAt, removalFrom, removed } = store
  return {
    ...store,
    list: (member, ...rest) =>
      then(list(member, ...rest), (all) => all.map((one) => shown(member.className, one))),
    find: (member, version) => then(find(member, version), (one) => one && shown(member.className, one)),
    findAt: (member, time) => then(findAt(member, time), (one) => one && shown(member.className, one)),
    removalFrom: (member, version) =>
      then(removalFrom(member, version), (one) => one && shown(member.className, one)),
    removed: (className, ...rest) =>
      then(removed(className, ...rest), (all) => all.map((one) => shown(className, one))),
  }
}
