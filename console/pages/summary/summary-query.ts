import type { PropertyDescription } from 'hydrant-client'
import type { QueryVariable } from '../../shared/connection/index.ts'
import { decode } from '../../shared/names.ts'
import { type SortDirection, SUMMARY_PARAMETERS } from '../../shared/queries.ts'
import { isNumber, type Kind, kindOf } from '../../shared/values.ts'

/** What a summary counts and adds up. Its address is that of the API's own summaries (asking.md, Summaries). */
export interface ChosenSummary {
  /** The path of a property. */
  readonly group: string
  /** For dates. */
  readonly unit: PeriodUnit | undefined
  readonly figure: ShownFigure
  /** The path of the property that the figure is of; empty for a count. */
  readonly of: string
  /** `group`, or `figure`. */
  readonly order: ChosenOrder | undefined
  readonly page: number
  /** The filters, as in the address of the table. */
  readonly filters: string
}

export interface ChosenOrder {
  readonly by: 'group' | 'figure'
  readonly direction: SortDirection
}

export const UNITS = ['year', 'month', 'day'] as const
export type PeriodUnit = (typeof UNITS)[number]

const FIGURES = ['count', 'sum', 'avg', 'min', 'max'] as const
export type ShownFigure = (typeof FIGURES)[number]

/** A property that members can be grouped by, or that can be added up. */
export interface SummaryProperty {
  readonly path: string
  readonly kind: Kind
  readonly property: PropertyDescription
}

export interface SummaryOptions {
  readonly groups: readonly SummaryProperty[]
  readonly numbers: readonly SummaryProperty[]
}

const NO_GROUP: readonly Kind[] = ['embedded', 'languages', 'json']

/** Whatever can be filtered by; but no values that hardly two members share, and no numbers that identify something. */
export function summaryOptions(variables: readonly QueryVariable[]): SummaryOptions {
  const properties = variables.flatMap((one) =>
    one.role === 'filter' && one.operator === 'eq' && one.property ? one.property : [],
  )
  const all = [...new Set(properties)].map((property) => ({
    ...{ path: property.name, kind: kindOf(property), property },
  }))
  const isShared = ({ kind, property: { constraints } }: SummaryProperty) =>
    !NO_GROUP.includes(kind) && !constraints.multiline && (!constraints.unique || kind === 'link')
  const isAmount = ({ kind, property }: SummaryProperty) =>
    isNumber(kind) && !property.constraints.unique && !property.always
  return { groups: all.filter(isShared), numbers: all.filter(isAmount) }
}

export const isDate = ({ kind }: Pick<SummaryProperty, 'kind'>): boolean =>
  kind === 'date' || kind === 'dateTime'

/** Without a group in the address, the most useful one. Undefined if there is none. */
export function readSummaryQuery(
  address: string,
  { groups, numbers }: SummaryOptions,
): ChosenSummary | undefined {
  const own = address.split('&').flatMap((part) => {
    const [name = '', ...value] = part.split('=')
    return isOwn(part) ? [[decode(name), decode(value.join('='))] as const] : []
  })
  const sent = (wanted: string) => own.find(([name]) => name === wanted)?.[1]
  const [path, sentUnit] = sent('group')?.split(':') ?? []
  const group = groups.find((one) => one.path === path) ?? likelyGroup(groups)
  if (!group) return undefined
  const unit = isDate(group) ? (UNITS.find((one) => one === sentUnit) ?? 'month') : undefined
  const [figure, of] = figureIn(sent, numbers)
  const [sorted, direction] = own.find(([name]) => name.startsWith('order[')) ?? []
  const by = sorted === `order[${figureKey(figure, of)}]` ? 'figure' : 'group'
  return {
    ...{ group: group.path, unit, figure, of },
    order: sorted === undefined ? undefined : { by, direction: direction === 'desc' ? 'desc' : 'asc' },
    page: Math.max(1, Number.parseInt(sent('page') ?? '', 10) || 1),
    filters: address
      .split('&')
      .filter((part) => part && !isOwn(part))
      .join('&'),
  }
}

function isOwn(part: string): boolean {
  const name = decode(part.split('=', 1)[0] ?? '')
  return SUMMARY_PARAMETERS.includes(name) || name.startsWith('order[')
}

const likelyGroup = (groups: readonly SummaryProperty[]): SummaryProperty | undefined => {
  const own = groups.filter(({ path }) => !path.includes('.'))
  return (
    own.find((one) => one.kind === 'link' || one.property.constraints.values) ?? own.find(isDate) ?? groups[0]
  )
}

function figureIn(
  sent: (name: string) => string | undefined,
  numbers: readonly SummaryProperty[],
): [figure: ShownFigure, of: string] {
  for (const figure of FIGURES) {
    const of = sent(figure)
    if (numbers.some(({ path }) => path === of)) return [figure, of ?? '']
  }
  return ['count', '']
}

/** The name of a figure in an order: `count`, `sum.price`. */
const figureKey = (figure: ShownFigure, of: string): string => (of ? `${figure}.${of}` : figure)

/** The key of the group in a summary: `published:year`. */
export const groupKey = ({ group, unit }: ChosenSummary): string => (unit ? `${group}:${unit}` : group)

/** Dates: the latest first. Others: the largest first. */
export const orderIn = ({ order, unit }: ChosenSummary): ChosenOrder =>
  order ?? { by: unit ? 'group' : 'figure', direction: 'desc' }

/** Writes the query as the address of the page has it. */
export function writeSummaryQuery(query: ChosenSummary): string {
  const { figure, of, order, page, filters } = query
  const parts = [
    ['group', groupKey(query)],
    [of && figure, of],
    [order && orderName(query, order), order?.direction ?? ''],
    [page > 1 && 'page', String(page)],
  ] as const
  const own = parts.flatMap(([name, value]) => (name ? `${name}=${encodeURIComponent(value)}` : []))
  return [filters, ...own].filter(Boolean).join('&')
}

const orderName = (query: ChosenSummary, { by }: ChosenOrder): string =>
  encodeURIComponent(`order[${by === 'group' ? groupKey(query) : figureKey(query.figure, query.of)}]`)

/** As it is sent: with an order. */
export const sentQuery = (query: ChosenSummary): string =>
  writeSummaryQuery({ ...query, order: orderIn(query) })
