// The plots of docs/images: grouped bars, one file for a light page and one for a dark one.
import type { Table } from './report.ts'

interface Plot {
  readonly name: string
  readonly title: string
  /** Of the table "costs". */
  readonly column: string
  readonly requests: readonly string[]
}

const READS = ['challenge', 'member', '304', 'page of 20, unchanged', 'page of 20, another each time']
const CREATES = ['durable create, 1 client', 'durable create, 64 clients']
const PLOTS: readonly Plot[] = [
  { name: 'reads', title: 'Reads: requests a second', column: 'requests/s', requests: READS },
  { name: 'creates', title: 'Durable creates a second', column: 'requests/s', requests: CREATES },
  {
    name: 'processor-time',
    title: 'Processor time of the server, µs a request (less is better)',
    column: 'CPU µs a request',
    requests: READS,
  },
]
const THEMES = {
  light: {
    text: '#1f2328',
    faint: '#59636e',
    line: '#d1d9e0',
    bars: ['#8c959f', '#bf8700', '#0969da', '#8250df'],
  },
  dark: {
    text: '#f0f6fc',
    faint: '#9198a1',
    line: '#3d444d',
    bars: ['#7d8590', '#d29922', '#4493f8', '#ab7df8'],
  },
}
type Theme = (typeof THEMES)['light']

const [WIDTH, LEFT, RIGHT, TOP] = [760, 210, 80, 76]
const [BAR, GAP] = [14, 18]

export function plotCosts(tables: readonly Table[]): { readonly name: string; readonly svg: string }[] {
  const costs = tables.find(({ name }) => name === 'costs')
  if (costs === undefined) return []
  return PLOTS.flatMap((plot) =>
    Object.entries(THEMES).map(([theme, colours]) => ({
      name: `${plot.name}-${theme}.svg`,
      svg: draw(plot, costs, colours),
    })),
  )
}

function draw({ title, column, requests }: Plot, { columns, rows }: Table, theme: Theme): string {
  const at = columns.indexOf(column)
  const servers = [...new Set(rows.map(([, server]) => String(server)))]
  const most = Math.max(
    ...rows.filter(([name]) => requests.includes(String(name))).map((row) => Number(row[at])),
  )
  const parts = [text(0, 20, title, theme.text, 'font-size="15" font-weight="600"')]
  const drawn = servers.filter((server) =>
    rows.some((row) => row[1] === server && requests.includes(String(row[0]))),
  )
  for (const [index, server] of drawn.entries()) {
    const x = index * 175
    parts.push(`<rect x="${x}" y="36" width="11" height="11" rx="2" fill="${colourOf(server)}"/>`)
    parts.push(text(x + 17, 46, server, theme.faint))
  }
  let y = TOP
  for (const request of requests) {
    const ofRequest = rows.filter(([name]) => name === request)
    parts.push(
      text(LEFT - 10, y + (ofRequest.length * BAR) / 2 + 4, request, theme.text, 'text-anchor="end"'),
    )
    for (const row of ofRequest) {
      const width = Math.max(1, (Number(row[at]) / most) * (WIDTH - LEFT - RIGHT))
      const label = Number(row[at]).toLocaleString('en', { maximumSignificantDigits: 3 })
      parts.push(rect(LEFT, y, width, colourOf(String(row[1]))))
      parts.push(text(LEFT + width + 6, y + BAR - 3, label, theme.faint, 'font-size="11"'))
      y += BAR
    }
    y += GAP
  }
  parts.push(`<path d="M${LEFT} ${TOP - 6}V${y - GAP + 6}" stroke="${theme.line}"/>`)
  const size = `width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}"`
  const font = 'font-family="system-ui, sans-serif" font-size="12"'
  const label = `role="img" aria-label="${escapeText(title)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} ${label}>\n${parts.join('\n')}\n</svg>\n`

  function colourOf(server: string): string {
    return theme.bars[servers.indexOf(server) % theme.bars.length] as string
  }
}

const rect = (x: number, y: number, width: number, fill: string): string =>
  `<rect x="${x}" y="${y + 1}" width="${width.toFixed(1)}" height="${BAR - 2}" rx="2" fill="${fill}"/>`

const text = (x: number, y: number, content: string, fill: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y}" fill="${fill}" ${more}>${escapeText(content)}</text>`

const escapeText = (content: string): string => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
