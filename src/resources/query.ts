import { badRequest } from '../errors.ts'
import { suggestion } from '../nearest.ts'

export interface PageSizes {
  readonly standard: number
  readonly maximum: number
}

/** Which page of a collection is asked for. */
export interface PageQuery {
  readonly page: number
  readonly itemsPerPage: number
}

/** Counting off pages gets slower with every one: past this many members, cursors do better. */
const DEEPEST = 10_000
const PARAMETERS = ['page', 'itemsPerPage']

export function readPageQuery(query: string | undefined, sizes: PageSizes): PageQuery {
  const parameters = readParameters(query)
  const itemsPerPage = readCount(parameters, 'itemsPerPage', sizes.maximum) ?? sizes.standard
  const page = readCount(parameters, 'page', Number.MAX_SAFE_INTEGER)
  if (page !== undefined && !isReachable(page, itemsPerPage)) {
    throw badRequest(`page: ${page} is too far; pages reach the first ${DEEPEST} members.`)
  }
  return { page: page ?? 1, itemsPerPage }
}

/** Whether the page begins among the members that can be reached by page. */
export const isReachable = (page: number, itemsPerPage: number): boolean =>
  (page - 1) * itemsPerPage < DEEPEST

function readParameters(query: string | undefined): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of (query ?? '').split('&')) {
    if (pair === '') continue
    const [name = '', ...value] = pair.split('=').map(decode)
    if (!PARAMETERS.includes(name)) {
      throw badRequest(`${show(name)} is not a parameter here; ${suggestion(name, PARAMETERS)}`)
    }
    if (parameters.has(name)) throw badRequest(`${name}: given twice; give it once.`)
    parameters.set(name, value.join('='))
  }
  return parameters
}

function readCount(
  parameters: ReadonlyMap<string, string>,
  name: string,
  maximum: number,
): number | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const count = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (count <= maximum) return count
  const range = maximum === Number.MAX_SAFE_INTEGER ? 'from 1' : `from 1 to ${maximum}`
  throw badRequest(`${name}: ${show(text)} is not a whole number ${range}.`)
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest('The query has a "%" that does not begin a percent-encoded UTF-8 character.')
  }
}

/** Quoted and cut: what is sent back of what was sent stays short. */
const show = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
