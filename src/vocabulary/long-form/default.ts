import { datatypeOf } from '../datatypes.ts'
import type { DefaultValue, Property } from '../model.ts'
import { SH } from '../namespaces.ts'
import { compileProperty } from '../validation.ts'
import type { Findings } from './findings.ts'
import type { Node } from './graph.ts'
import { jsonOf } from './shapes.ts'

/** `sh:defaultValue`. One that its own property would refuse could never be stored: it is a problem. */
export function readDefaultValue(
  shape: Node | undefined,
  property: Property,
  place: string,
  findings: Findings,
): DefaultValue | undefined {
  const { range, many } = property
  const literals = shape?.literals(`${SH}defaultValue`) ?? []
  if (literals.length === 0) return undefined
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return findings.ignored(place, 'its default, since only a datatype with one text can have one')
  if (literals.length > 1 && !many)
    return findings.problem(place, 'it has several defaults, but one value at most; keep one of them')
  const readings = literals.map((literal) => datatypeOf(range.datatype).read(jsonOf(literal)))
  const wrong = readings.flatMap((reading) => ('message' in reading ? [reading.message] : []))
  const values = readings.flatMap((reading) => ('value' in reading ? [reading.value] : []))
  const value = many ? values : values[0]
  const refused = wrong.length > 0 ? wrong : compileProperty(property)(value).map(({ message }) => message)
  for (const message of refused) findings.problem(place, `its default ${message.replace(/\.$/, '')}`)
  return refused.length > 0 ? undefined : { kind: 'value', value }
}
