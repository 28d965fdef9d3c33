import { type CsvFormat, createCsvFormat, createMemberRepresentation } from '../api/index.ts'
import { FIRST_MEMBER, type HistoryStore, type MemberStore, type Page } from '../members/index.ts'
import { type Class, type Model, storedClasses } from '../vocabulary/index.ts'
import { createEntryLines } from './history-lines.ts'
import { documentContext, storedPart } from './json-ld.ts'
import { exportProblem } from './problems.ts'

/** The format of the data: a member on each line, one JSON-LD document, or a table of one class. */
export type DataFormat = 'ndjson' | 'jsonld' | 'csv'

export interface ExportDependencies {
  readonly model: Model
  /** The beginning of all addresses. */
  readonly base: string
  readonly store: MemberStore
  readonly format: DataFormat
  /** The only class whose members are written; CSV needs one. */
  readonly cls?: Class | undefined
  /** Whether the texts of CSV get guards against formulas. */
  readonly spreadsheet?: boolean | undefined
  /** The sources of the histories, if these are written, too. */
  readonly past?: PastSources | undefined
  readonly write: (text: string) => Promise<void>
  /** Called with the number of members that have been written, and of all. */
  readonly progress: (members: number, total: number) => void
}

interface PastSources {
  readonly history: HistoryStore
  /** The address of the account of a user, by the number of the user. */
  readonly accountOf: (user: number) => string | undefined
}

const PAGE = 1_000

/** Writes all members in the order of creation, classes after those that they link to. Returns their number. */
export async function exportMembers(dependencies: ExportDependencies): Promise<number> {
  const { model, store, format, cls } = dependencies
  const classes = cls === undefined ? inOrderOfLinks(model) : [cls]
  const total = await countAll(store, classes)
  const progress = (members: number) => dependencies.progress(members, Math.max(members, total))
  if (format !== 'csv') return exportJson(classes, { ...dependencies, progress })
  if (cls === undefined) throw new Error('The lines of CSV need a class.')
  return exportCsv(cls, { ...dependencies, progress })
}

type WriteDependencies = Omit<ExportDependencies, 'progress'> & { progress(members: number): void }

async function exportJson(
  classes: readonly Class[],
  { model, base, store, format, past, write, progress }: WriteDependencies,
): Promise<number> {
  const isLines = format === 'ndjson'
  let members = 0
  let isFirst = true
  const writeAll = async (texts: readonly string[]) => {
    if (texts.length === 0) return
    await write(isLines ? `${texts.join('\n')}\n` : `${isFirst ? '' : ','}\n${texts.join(',\n')}`)
    isFirst = false
  }
  // The context comes first, so that a reader need not keep the rest in memory.
  if (!isLines) await write(`{"@context":${JSON.stringify(documentContext(model, base))},"@graph":[`)
  for (const cls of classes) {
    const { within } = createMemberRepresentation(storedPart(cls), base)
    const entries = cls.history === undefined ? undefined : past && createEntryLines(cls, base, past)
    for await (const page of pagesOf(store, cls)) {
      if (entries === undefined) await writeAll(page.members.map((member) => within(member)))
      else
        for (const member of page.members) {
          for await (const line of entries.linesOf(member.id)) await writeAll([line])
          await writeAll([within(member)])
        }
      members += page.members.length
      progress(members)
    }
    if (entries !== undefined) for await (const line of entries.linesOfRemoved()) await writeAll([line])
  }
  if (!isLines) await write('\n]}\n')
  return members
}

/** The members are read twice if they have lists or several languages: the header comes first, and has all columns. */
async function exportCsv(
  cls: Class,
  { base, store, spreadsheet = false, write, progress }: WriteDependencies,
): Promise<number> {
  const format = createCsvFormat(cls, base, { spreadsheet })
  const table = await measureTable(store, cls, format)
  let members = 0
  await write(table.header())
  for await (const page of pagesOf(store, cls)) {
    let text = ''
    for (const member of page.members) {
      const row = table.write(format.read(member))
      if (row === undefined) throw exportProblem('ColumnsChanged')
      text += row
    }
    await write(text)
    members += page.members.length
    progress(members)
  }
  return members
}

async function measureTable(store: MemberStore, cls: Class, format: CsvFormat) {
  const table = format.createTable()
  if (format.isFixed) return table
  for await (const page of pagesOf(store, cls))
    for (const member of page.members) table.add(format.read(member))
  return table
}

async function countAll(store: MemberStore, classes: readonly Class[]): Promise<number> {
  let total = 0
  for (const { name } of classes) total += (await store.list(name, FIRST_MEMBER)).total ?? 0
  return total
}

/** Reads by cursor, which visits every member that exists during the walk exactly once (hypermedia.md, Paging). */
async function* pagesOf(store: MemberStore, { name }: Class): AsyncGenerator<Page> {
  let { start } = FIRST_MEMBER
  for (;;) {
    const page: Page = await store.list(name, { ...FIRST_MEMBER, start, limit: PAGE })
    if (page.members.length > 0) yield page
    if (!page.more || page.edges === undefined) return
    start = { at: 'after', position: page.edges.last }
  }
}

/** The classes that have members, each after those that it links to, as far as links are not circular. */
function inOrderOfLinks(model: Model): Class[] {
  const left = new Map(storedClasses(model).map((cls) => [cls.name, cls]))
  const ordered: Class[] = []

  function add(cls: Class): void {
    left.delete(cls.name)
    for (const name of targetsOf(cls)) {
      const target = left.get(name)
      if (target !== undefined) add(target)
    }
    ordered.push(cls)
  }

  for (const cls of left.values()) add(cls)
  return ordered
}

/** The names of the classes that a class links to, including links within embedded values. */
function targetsOf({ properties }: Class): string[] {
  return properties.flatMap(({ range }) => {
    if (range.kind === 'link') return [range.className]
    return range.kind === 'embedded' ? targetsOf(range.cls) : []
  })
}
