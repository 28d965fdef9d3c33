import { MAX_TARGET } from '../../http/index.ts'
import type { Key } from '../../vocabulary/index.ts'
import { encode } from '../query/encoding.ts'
import { createPathParameters, type Parameter, type ParsedParameters } from '../query/parameters.ts'
import type { Path, Paths } from '../query/path.ts'
import type { AskedGroup } from './paths.ts'
import { boundsOf } from './units.ts'
import type { ServedValue } from './values.ts'

/** A parameter of the collection, with its values. */
interface Condition {
  readonly parameter: Extract<Parameter, { path: Path }>
  readonly values: readonly string[]
}

/** Parameters that ask of the same linked member or embedded value, where their paths begin alike. */
type Unit = readonly Condition[]

interface LinkDependencies {
  readonly paths: Paths
  /** The address of the collection. */
  readonly address: string
  readonly groups: readonly AskedGroup[]
  /** The filters of the request. */
  readonly filtering: ParsedParameters
  /** Whether the collection takes a query. */
  readonly isAccepted: (query: string) => boolean
}

/**
 * The address of the members of a group: the collection with the filters of the request, and a filter for each group.
 * Filters whose paths begin alike would ask of the same linked member, while a group counts a member by any of its values:
 * there, filters become alternatives of one, which "stand on their own" (asking.md, Or). Undefined if no address can say it.
 */
export function createMembersLink({ paths, address, groups, filtering, isAccepted }: LinkDependencies) {
  const parameters = createPathParameters(paths)
  const own = filtering.flatMap(({ parameter, values }) =>
    'path' in parameter && parameter.group === undefined ? [{ parameter, values }] : [],
  )
  const asked = [...Map.groupBy(own, firstName).values()]
  const rest = filtering.filter(({ parameter }) => !('path' in parameter) || parameter.group !== undefined)
  const kept = rest.flatMap(({ parameter, values }) => written(parameter.name, values))
  const taken = new Set(filtering.map(({ parameter }) => parameter.group))

  /** What the members of a group have at its path. */
  function unitFor({ path, unit }: AskedGroup, key: Key | null, served: ServedValue): Unit {
    if (key === null) return [{ parameter: parameters.exists(path), values: ['false'] }]
    if (unit === undefined)
      return [{ parameter: parameters.filter(path, 'eq'), values: [String(served({ path, key }))] }]
    return boundsOf(path, unit, String(key)).map(([operator, date]) => ({
      parameter: parameters.filter(path, operator),
      values: [date],
    }))
  }

  return (group: readonly (Key | null)[], served: ServedValue): string | undefined => {
    const units = [...asked, ...groups.map((one, index) => unitFor(one, group[index] ?? null, served))]
    const query = [...kept]
    let number = 0
    for (const alike of Map.groupBy(units, ([first]) => firstName(first as Condition)).values()) {
      const together = alike.length === 1 ? alike : alike.filter(isTogether)
      if (together.length > 1) return undefined
      const plain = together[0] ?? alike[0]
      for (const { parameter, values } of plain ?? []) query.push(...written(parameter.name, values))
      for (const { parameter, values } of alike.filter((one) => one !== plain).flat()) {
        // An operator in brackets, which cannot stand in a group.
        if (parameter.name.includes('[')) return undefined
        while (taken.has(String(number))) number += 1
        query.push(...written(`or[${number}][${parameter.name}]`, values))
        number += 1
      }
    }
    const text = query.join('&')
    const link = text === '' ? address : `${address}?${text}`
    return link.length <= MAX_TARGET && isAccepted(text) ? link : undefined
  }
}

const firstName = ({ parameter }: Condition): string => parameter.property.name.split('.')[0] as string

/** More values than this would be too many alternatives. */
const MAX_ALTERNATIVES = 10

/** Whether the parameters mean something else when each stands on its own. */
function isTogether(unit: Unit): boolean {
  const isMany = ({ parameter: { path } }: Condition) =>
    path.property.many || path.steps.some(({ many }) => many)
  return (unit.length > 1 && unit.some(isMany)) || unit.some(({ values }) => values.length > MAX_ALTERNATIVES)
}

const written = (name: string, values: readonly string[]): string[] =>
  values.map((value) => `${encode(name)}=${encode(value)}`)
