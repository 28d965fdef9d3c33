import type { Sql } from '../query/sql.ts'
import type { Page, Selection, StoredMember } from '../store.ts'
import { combinedPage } from './combined.ts'
import type { Connections } from './connections.ts'
import { type Fit, isWhole, membersIn, type Row, toPage, totalIn } from './pages.ts'
import { createPlainPages, isPlain, type PlainPages } from './plain.ts'
import type { Run } from './pool.ts'
import { createScans } from './scans.ts'
import { toText } from './selecting.ts'
import { numbered } from './sql.ts'
import { straight, straightPage } from './straight.ts'
import type { Tables } from './tables.ts'

/** Members as they are stored; each answer is one statement, and so of one moment. */
export interface Reader {
  find(tables: Tables, id: string): Promise<StoredMember | undefined>
  /** 503 for a selection that takes longer than `scanMs`; it never holds up others. */
  list(tables: Tables, selection: Selection): Promise<Page>
}

/** From so many rows of an index on, a page is read where it does not stand before others. */
const MOST_ROWS = 20_000
/** So far is counted off from the beginning. */
const DEEPEST = 10_000

interface Fixed {
  readonly find: string
  readonly plain: PlainPages
}

export function createReader({ quick, slow }: Connections, scanMs: number): Reader {
  const fixed = new WeakMap<Tables, Fixed>()
  const scan = createScans(scanMs)

  /** What a class is asked most often, made when it is first asked. */
  function fixedFor(tables: Tables): Fixed {
    const known = fixed.get(tables)
    if (known !== undefined) return known
    const made = {
      find: `SELECT id, version, body, holes FROM ${tables.members} WHERE id = $1`,
      plain: createPlainPages(tables),
    }
    fixed.set(tables, made)
    return made
  }

  return {
    async find(tables, id) {
      // No member has it, and PostgreSQL takes none.
      if (id.includes('\0')) return undefined
      const [row] = await quick.run<[string, number, string, string]>(fixedFor(tables).find, [id])
      return row && { id: row[0], version: row[1], body: row[2], holes: row[3] }
    },
    async list(tables, selection) {
      const isDeep = selection.start.at === 'offset' && selection.start.offset > DEEPEST
      if (isPlain(selection)) {
        const { plain } = fixedFor(tables)
        return isDeep ? scan(() => plain(slow.run, selection)) : plain(quick.run, selection)
      }
      const { statement, isQuick } = statementFor(tables, selection)
      return isQuick && !isDeep
        ? readPage(quick.run, statement, selection)
        : scan(() => readPage(slow.run, statement, selection, 'summed'))
    },
  }
}

/** `isQuick`: what is looked at is bounded by one index. */
export function statementFor(
  tables: Tables,
  selection: Selection,
): { readonly statement: (fit: Fit) => Sql; readonly isQuick: boolean } {
  const chosen = toText(tables, selection)
  const found = straight(tables, chosen)
  return found === undefined
    ? { statement: (fit) => combinedPage(tables, chosen, fit), isQuick: false }
    : { statement: (fit) => straightPage(tables, chosen, found, fit), isQuick: found.rows <= MOST_ROWS }
}

/** `fit`: tried first; what takes long is not to be read twice. */
export async function readPage(
  run: Run,
  statement: (fit: Fit) => Sql,
  selection: Selection,
  fit: Fit = 'alone',
): Promise<Page> {
  const made = statement(fit)
  const found = await run<Row>(numbered(made), made.params)
  if (fit === 'alone' && !isWhole(found, selection)) return readPage(run, statement, selection, 'summed')
  const rows = membersIn(found)
  return toPage(rows, totalOf(found, rows, selection), selection)
}

/** Of all members, the total is exact whatever it is. */
function totalOf(found: readonly Row[], rows: readonly Row[], selection: Selection): number | undefined {
  const counted = found[0]?.[0] ?? null
  const isFiltered = selection.conditions.length + selection.words.length > 0
  return isFiltered ? totalIn(counted, rows, selection) : (counted ?? undefined)
}
