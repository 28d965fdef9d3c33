// The plots of docs/images: grouped bars, one file for a light page and one for a dark one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCS, type Table } from './report.ts'

interface Plot {
  readonly name: string
  readonly title: string
  /** The name of the table that it shows. */
  readonly table: string
  readonly toBars: (table: Table) => Bar[]
}

interface Bar {
  readonly request: string
  readonly server: string
  readonly value: number
}

/** A column of a table whose rows begin with a request and a server. */
const barsOf =
  (column: string, requests: RegExp) =>
  ({ columns, rows }: Table): Bar[] =>
    rows
      .filter(([request]) => requests.test(`${request}`))
      .map((row) => ({
        request: `${row[0]}`,
        server: `${row[1]}`,
        value: Number(row[columns.indexOf(column)]),
      }))

/** The columns for two sizes, side by side. */
const barsOfSizes = ({ columns, rows }: Table): Bar[] =>
  rows.flatMap((row) =>
    [1, 2].map((at) => ({
      request: `${row[0]}`.replace(/,.*/, ''),
      server: `${columns[at]}`.replace(/:.*/, ''),
      value: Number(row[at]),
    })),
  )

const READS = /^(challenge|member|304|page)/
const PLOTS: readonly Plot[] = [
  { name: 'reads', title: 'Reads: requests a second', table: 'costs', toBars: barsOf('requests/s', READS) },
  {
    name: 'creates',
    title: 'Durable creates a second',
    table: 'costs',
    toBars: barsOf('requests/s', /create/),
  },
  {
    name: 'processor-time',
    title: 'Processor time of the server, µs a request (less is better)',
    table: 'costs',
    toBars: barsOf('CPU µs a request', READS),
  },
  {
    name: 'memory',
    title: 'Peak memory, MB (less is better)',
    table: 'memory',
    toBars: ({ rows }) =>
      rows.map(([server, value]) => ({ request: 'peak memory', server: `${server}`, value: Number(value) })),
  },
  {
    name: 'sizes',
    title: 'Page of 20: processor time, µs (less is better)',
    table: 'sizes',
    toBars: barsOfSizes,
  },
]
/** Colours of text, of what is less important, and of bare node:http, the hand-written server, SQLite and PostgreSQL. */
const THEMES: Readonly<Record<string, readonly string[]>> = {
  light: ['#1f2328', '#59636e', '#8c959f', '#bf8700', '#0969da', '#8250df'],
  dark: ['#f0f6fc', '#9198a1', '#7d8590', '#d29922', '#4493f8', '#ab7df8'],
}
const [WIDTH, LEFT, RIGHT] = [760, 210, 80]
const [BAR, GAP, LEGEND] = [14, 18, 175]

/** Draws those whose tables were measured. */
export function writePlots(tables: readonly Table[]): void {
  for (const plot of PLOTS) {
    const table = tables.find(({ name }) => name === plot.table)
    if (table === undefined) continue
    for (const [theme, colours] of Object.entries(THEMES))
      writeFileSync(
        join(DOCS, 'images', `${plot.name}-${theme}.svg`),
        draw(plot.title, plot.toBars(table), colours),
      )
  }
}

function draw(title: string, bars: readonly Bar[], colours: readonly string[]): string {
  const [strong = '', faint = '', ...ofServers] = colours
  const servers = [...new Set(bars.map(({ server }) => server))]
  // A server has one colour in all plots; where bare node:http is not shown, its colour is left out.
  const first = servers.length < ofServers.length ? 1 : 0
  const colourOf = (server: string): string => ofServers[servers.indexOf(server) + first] ?? faint
  const most = Math.max(...bars.map(({ value }) => value))

  const parts = [text(0, 20, title, `fill="${strong}" font-size="15" font-weight="600"`)]
  for (const [index, server] of servers.entries()) {
    parts.push(rect(index * LEGEND, 35, BAR, colourOf(server)))
    parts.push(text(index * LEGEND + 20, 46, server, `fill="${faint}"`))
  }
  let y = 60
  let last = ''
  for (const { request, server, value } of bars) {
    if (request !== last) {
      y += GAP
      parts.push(text(LEFT - 10, y + BAR - 3, request, `fill="${strong}" text-anchor="end"`))
    }
    last = request
    const width = Math.max(1, (value / most) * (WIDTH - LEFT - RIGHT))
    const label = value.toLocaleString('en', { maximumSignificantDigits: 3 })
    parts.push(
      rect(LEFT, y, width, colourOf(server)),
      text(LEFT + width + 6, y + BAR - 3, label, `fill="${faint}"`),
    )
    y += BAR
  }
  const size = `width="${WIDTH}" height="${y + GAP}" viewBox="0 0 ${WIDTH} ${y + GAP}"`
  const font = 'font-family="system-ui, sans-serif" font-size="12"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>\n<title>${title}</title>\n${parts.join('\n')}\n</svg>\n`
}

const rect = (x: number, y: number, width: number, fill: string): string =>
  `<rect x="${x}" y="${y + 1}" width="${width.toFixed(1)}" height="${BAR - 2}" rx="2" fill="${fill}"/>`

/** Names of requests and servers have no character that XML would read. */
const text = (x: number, y: number, content: string, attributes: string): string =>
  `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${content}</text>`
