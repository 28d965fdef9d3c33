import { BoundedMap } from '../../../bounded-map.ts'
import { createPause } from '../../../deadline.ts'
import type { Page, StoredMember } from '../../../members/index.ts'
import { pathTo } from '../../../vocabulary/index.ts'
import type { Fields } from '../../query/fields.ts'
import type { ParsedQuery } from '../../query/query.ts'
import { CSV, fingerprint } from '../../request.ts'
import type { ShownMembers } from '../member.ts'
import type { PageDependencies, RepresentedPage } from '../page.ts'
import { createViewLinks } from '../view.ts'
import { linkHeader } from './links.ts'
import type { ServedRow } from './row.ts'
import { type CsvFormat, type CsvTable, createCsvFormat } from './table.ts'

/** Members that were read for a table. */
interface ReadRows {
  readonly table: CsvTable
  readonly rows: readonly ServedRow[]
}

/** A page of a collection, read for CSV. */
export interface CsvPage extends ReadRows, Pick<ShownMembers, 'views'> {
  readonly page: Page
}

/** How members are read. */
interface RowsToRead extends Pick<ShownMembers, 'fields' | 'views'> {
  readonly maxBytes: number
}

const LONG = 10_000

/** Whether it is time to look at the clock, which takes as long as a tenth of a member. */
const isPause = (index: number, member: StoredMember | undefined): boolean =>
  index % 16 === 0 || (member?.body.length ?? 0) > LONG

/** `query`: as it was sent. */
export interface CsvQuery {
  readonly parsed: ParsedQuery
  readonly query: string | undefined
  readonly fields: Fields | undefined
}

/** How many lists of fields have their columns cached. */
const MAX_CACHED = 64

/** The pages of a collection as CSV. */
export interface CsvPages {
  /** Ends before the member with which the page would be too long: one with a long list adds columns to every row. */
  read(members: readonly StoredMember[], asked: RowsToRead): Promise<ReadRows>
  represent(found: CsvPage, asked: CsvQuery): Promise<RepresentedPage>
}

/** `spreadsheet`: whether texts that a spreadsheet would read as formulas are escaped. */
export function createCsvPages(dependencies: PageDependencies, spreadsheet: boolean): CsvPages {
  const { cls, base, representation, pageSizes, secret } = dependencies
  const address = base + pathTo(cls.collection)
  const formats = new BoundedMap<string, CsvFormat>(MAX_CACHED)
  const formatFor = (fields: Fields | undefined) =>
    formats.getOrInsertComputed(fields?.signature ?? '', () =>
      createCsvFormat(cls, base, { spreadsheet, ...(fields && { shown: fields.paths }) }),
    )
  const viewLinks = createViewLinks(address, pageSizes.standard)
  // As for JSON-LD, this covers everything except the members, and has the secret, so that versions cannot be guessed.
  const key = fingerprint(
    ...[address, String(pageSizes.standard), String(spreadsheet), secret.toString('base64url')],
    representation.etag({ version: 0 }, CSV),
  )

  return {
    async read(members, { fields, views, maxBytes }) {
      const pause = createPause()
      const format = formatFor(fields)
      const table = format.createTable()
      const rows: ServedRow[] = []
      for (const [index, member] of members.entries()) {
        const turn = isPause(index, member) ? pause() : undefined
        if (turn !== undefined) await turn
        const hidden = views?.get(member)?.hidden
        const row = format.read(hidden === undefined ? member : representation.without(member, hidden))
        table.add(row)
        if (rows.length > 0 && table.overhead(rows.length + 1) > maxBytes) break
        rows.push(row)
      }
      return { table, rows }
    },

    async represent({ page, views, table, rows }, { parsed, query, fields }) {
      const { members, total, more } = page
      const versions = members.map((one) => `${one.version}${views?.get(one)?.shownKey ?? ''}`).join()
      const pause = createPause()
      let body = table.header()
      for (const [index, row] of rows.entries()) {
        const turn = isPause(index, members[index]) ? pause() : undefined
        if (turn !== undefined) await turn
        body += table.write(row)
      }
      const links = viewLinks(parsed, page, query)
      // Links stay addresses, whatever is included.
      const leftOut = [...formatFor(fields).leftOut, ...(parsed.include ?? [])]
      return {
        etag: `"${fingerprint(versions, `${total} ${more}`, query ?? '', key)}"`,
        links: linkHeader(links, leftOut),
        body,
      }
    },
  }
}
