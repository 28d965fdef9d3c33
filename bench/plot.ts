// The plots of docs/images: grouped bars, one file for a light page and one for a dark one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCS, type Table } from './report.ts'

interface Plot {
  readonly name: string
  readonly title: string
  /** Of the table "costs". */
  readonly column: string
  readonly requests: RegExp
}

const READS = /^(challenge|member|304|page)/
const PLOTS: readonly Plot[] = [
  { name: 'reads', title: 'Reads: requests a second', column: 'requests/s', requests: READS },
  { name: 'creates', title: 'Durable creates a second', column: 'requests/s', requests: /create/ },
  {
    name: 'processor-time',
    title: 'Processor time of the server, µs a request (less is better)',
    column: 'CPU µs a request',
    requests: READS,
  },
]
/** Colours of text, of what is less important, and of bare node:http, the hand-written server, SQLite and PostgreSQL. */
const THEMES: Readonly<Record<string, readonly string[]>> = {
  light: ['#1f2328', '#59636e', '#8c959f', '#bf8700', '#0969da', '#8250df'],
  dark: ['#f0f6fc', '#9198a1', '#7d8590', '#d29922', '#4493f8', '#ab7df8'],
}
const [WIDTH, LEFT, RIGHT] = [760, 210, 80]
const [BAR, GAP, LEGEND] = [14, 18, 175]

/** Returns what shows them in a document. */
export function writePlots(costs: Table): string {
  const pictures = PLOTS.map((plot) => {
    for (const [theme, colours] of Object.entries(THEMES))
      writeFileSync(join(DOCS, 'images', `${plot.name}-${theme}.svg`), draw(plot, costs, colours))
    return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/${plot.name}-dark.svg">
  <img alt="${plot.title}" src="images/${plot.name}-light.svg">
</picture>`
  })
  return pictures.join('\n\n')
}

function draw(
  { title, column, requests }: Plot,
  { columns, rows }: Table,
  colours: readonly string[],
): string {
  const [strong = '', faint = '', ...ofServers] = colours
  const servers = [...new Set(rows.map(([, server]) => `${server}`))]
  const colourOf = (server: string): string => ofServers[servers.indexOf(server)] ?? faint
  const bars = rows
    .filter(([request]) => requests.test(`${request}`))
    .map((row) => ({
      request: `${row[0]}`,
      server: `${row[1]}`,
      value: Number(row[columns.indexOf(column)]),
    }))
  const most = Math.max(...bars.map(({ value }) => value))

  const parts = [text(0, 20, title, `fill="${strong}" font-size="15" font-weight="600"`)]
  for (const [index, server] of servers.filter((name) => bars.some((bar) => bar.server === name)).entries()) {
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
