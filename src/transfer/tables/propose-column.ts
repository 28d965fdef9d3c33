import type { Constraints, DatatypeName } from '../../vocabulary/index.ts'
import { fittingConstraints, isAccepted } from '../proposal/constraints.ts'
import type { ProposedKeys, ProposedProperty } from '../proposal/file.ts'
import { type ColumnCondition, readConstant, sqlTokens } from './condition.ts'
import type { SourceColumn } from './schema.ts'

/** What is known about a column besides its own description. */
export interface ColumnFacts {
  readonly conditions: readonly ColumnCondition[]
  /** Whether it has an empty text, which is no value where one is required. */
  readonly hasBlank: boolean
}

/** The type and the keys of the property for a column; undefined if no datatype can hold its values. */
export function proposeColumn(
  column: SourceColumn,
  { conditions, hasBlank }: ColumnFacts,
): Omit<ProposedProperty, 'name'> | undefined {
  const { datatype, isList, isGenerated } = column
  if (datatype === undefined) return undefined
  const said: Partial<ColumnCondition> = Object.assign({}, ...conditions)
  const choices = column.choices ?? said.choices
  // SQLite has no type for them.
  const isTruth =
    datatype === 'integer' && choices?.length === 2 && [0, 1].every((one) => choices.includes(one))
  const type = isTruth ? 'boolean' : datatype
  const remarks: string[] = remarkOnType(column)
  const lengths = [column.maxLength, said.maxLength].filter((one) => one !== undefined)
  const { choices: _, ...bounds } = said
  const given = {
    ...bounds,
    ...(choices !== undefined && !isTruth && { enum: choices }),
    ...(lengths.length > 0 && { maxLength: Math.min(...lengths) }),
    ...(column.scale !== undefined && { scale: column.scale }),
  }
  const constraints = fittingConstraints(type, given, remarks)
  const required = column.isRequired && !isList && !isGenerated && !(type === 'string' && hasBlank)
  if (column.isRequired && type === 'string' && hasBlank)
    remarks.push('never null in the database, but some texts are empty')
  const fallback = required ? proposeDefault(type, column, constraints, remarks) : undefined
  const keys = {
    many: isList,
    required,
    ...(constraints as ProposedKeys),
    default: fallback,
    ...(isGenerated && { writable: false }),
    ...(/^(?:jsonb?|xml)$/i.test(column.type) && { filterable: false }),
  }
  return { type, keys, remarks }
}

/** Types that a text stands for. */
const TEXTS = /char|text|clob|string|uuid|^name$/i

function remarkOnType({ type, datatype, choices, isGenerated }: SourceColumn): string[] {
  if (isGenerated) return [`computed by the database (${type}); here nothing computes it`]
  if (datatype !== 'string' || choices !== undefined || TEXTS.test(type)) return []
  return [type === '' ? 'has no type in the database' : `${type}, as text`]
}

const NOW = /^(?:now|current_timestamp|current_date|localtimestamp|datetime|date)$/i

/** A constant, or the time. A default for rows that may be null would fill members that have no value. */
function proposeDefault(
  type: DatatypeName,
  { default: written }: SourceColumn,
  constraints: Constraints,
  remarks: string[],
): ProposedKeys[string] {
  if (written === undefined) return undefined
  const [first] = sqlTokens(written).filter(({ value }) => value !== '(')
  const isNow = first?.kind === 'word' && NOW.test(first.value)
  if (isNow && (type === 'dateTime' || type === 'date')) return 'now'
  const constant = readConstant(written)
  const value = type === 'boolean' && (constant === 0 || constant === 1) ? constant === 1 : constant
  if (isAccepted(value, type, constraints)) return value
  remarks.push(`default there: ${written}`)
  return undefined
}
