import { cut } from '../../shared/values.ts'
import { linesOf } from './periods.ts'
import type { ChartRow } from './summary-rows.ts'

const ROW_HEIGHT = 40
const LONGEST_NAME = 28

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`

/** From the least to the greatest value, and 0, which bars begin at. */
function rangeOf(values: readonly (number | undefined)[]) {
  const known = values.filter((value) => value !== undefined)
  const least = Math.min(0, ...known)
  const greatest = Math.max(0, ...known)
  const size = greatest - least || 1
  return { least, greatest, shareOf: (value: number) => (value - least) / size }
}

/** Coordinates in percent need no size, and so no style of the page's own. */
export function Bars({ rows }: { rows: readonly ChartRow[] }) {
  const { shareOf } = rangeOf(rows.map(({ value }) => value))
  return (
    <svg class="summary-chart" width="100%" height={rows.length * ROW_HEIGHT} aria-hidden="true">
      {rows.map((row, index) => (
        <Bar key={row.key} row={row} top={index * ROW_HEIGHT} shareOf={shareOf} />
      ))}
    </svg>
  )
}

interface BarProps {
  readonly row: ChartRow
  readonly top: number
  readonly shareOf: (value: number) => number
}

function Bar({ row: { name, value = 0, text, href }, top, shareOf }: BarProps) {
  const [from, to] = [shareOf(Math.min(0, value)), shareOf(Math.max(0, value))]
  const drawing = (
    <>
      <title>{`${name}: ${text}`}</title>
      {/* So that the whole row can be pointed at. */}
      <rect class="summary-space" x="0" y={top} width="100%" height={ROW_HEIGHT} />
      <text x="0" y={top + 15}>
        {cut(name, LONGEST_NAME).text}
      </text>
      <text class="summary-figure" x="100%" y={top + 15}>
        {text}
      </text>
      <rect
        class="summary-bar"
        x={percent(from)}
        y={top + 21}
        width={percent(to - from)}
        height="11"
        rx="2"
      />
    </>
  )
  return <Leading href={href}>{drawing}</Leading>
}

/** A link for pointers: with the keyboard, the same link is in the table. */
const Leading = ({ href, children }: { href: string | undefined; children: preact.ComponentChildren }) =>
  href === undefined ? (
    <g>{children}</g>
  ) : (
    <a href={href} tabindex={-1}>
      {children}
    </a>
  )

const LINE_HEIGHT = 260
const [TOP, BOTTOM] = [28, 222]

interface LineProps {
  readonly rows: readonly ChartRow[]
  /** Whether a period without members has the figure 0. */
  readonly isZero: boolean
  readonly numberText: (value: number) => string
}

export function Line({ rows, isZero, numberText }: LineProps) {
  const { least, greatest, shareOf } = rangeOf(rows.map(({ value }) => value))
  const dated = rows.flatMap(({ period, value, ...row }) =>
    period === undefined ? [] : { period, value, row },
  )
  const lines = linesOf(dated, isZero)
  const ordered = dated.toSorted((one, other) => one.period - other.period)
  const y = (value: number) => BOTTOM - shareOf(value) * (BOTTOM - TOP)
  // Room for the circles at both ends.
  const x = (share: number) => percent(0.02 + share * 0.96)
  return (
    <svg class="summary-chart" width="100%" height={LINE_HEIGHT} aria-hidden="true">
      {[...new Set([least, 0, greatest])].map((value) => (
        <g key={value}>
          <line class="summary-grid" x1="0" x2="100%" y1={y(value)} y2={y(value)} />
          <text class="summary-scale" x="0" y={y(value) - 5}>
            {numberText(value)}
          </text>
        </g>
      ))}
      {lines.map((line) =>
        line.slice(1).map((point, index) => {
          const { x: from, value } = line[index] ?? point
          const ends = { x1: x(from), y1: y(value), x2: x(point.x), y2: y(point.value) }
          return <line key={`${point.x}`} class="summary-line" {...ends} />
        }),
      )}
      {lines.flat().map((point) =>
        'row' in point ? (
          <Leading key={point.row.key} href={point.row.href}>
            <title>{`${point.row.name}: ${point.row.text}`}</title>
            <circle class="summary-space" cx={x(point.x)} cy={y(point.value)} r="10" />
            <circle class="summary-point" cx={x(point.x)} cy={y(point.value)} r="4" />
          </Leading>
        ) : null,
      )}
      <text x="0" y={LINE_HEIGHT - 12}>
        {ordered[0]?.row.name}
      </text>
      {ordered.length > 1 && (
        <text class="summary-figure" x="100%" y={LINE_HEIGHT - 12}>
          {ordered.at(-1)?.row.name}
        </text>
      )}
    </svg>
  )
}
