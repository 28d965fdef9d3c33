import type { ProblemData } from '../../problem.ts'
import { type KeyShape, namesInKey } from '../../vocabulary/keys.ts'
import type { ClassSchema, Converted, Move, UsedName } from '../class-schema.ts'
import {
  type BrokenConstraint,
  type IncompatibleMember,
  type Link,
  MAX_REPORTED,
  type MigrationChange,
  type MigrationViolation,
} from '../index.ts'
import { migrationViolation } from './migration.ts'
import type { StoredClass } from './plan.ts'

/** An incompatible member, by the address at which it is served today. */
export function incompatibleMember(
  { shape, former }: FormerClass,
  id: string,
  violations: readonly MigrationViolation[],
): IncompatibleMember {
  const [address, newAddress] = [addressToday({ shape, former }, id), shape.addressOf(id)]
  return { className: shape.name, id, address, ...(newAddress !== address && { newAddress }), violations }
}

/** A class of the API file, and its stored form. */
export interface FormerClass {
  readonly shape: ClassSchema
  readonly former: StoredClass
}

const addressToday = ({ shape, former }: FormerClass, id: string): string =>
  former.address?.replace('*', id) ?? shape.addressOf(id)

/** Members of a class that would be a single resource. */
export const severalMembers = (cls: FormerClass, ids: readonly string[]): IncompatibleMember[] =>
  ids.map((id) => {
    const { shape, former } = cls
    const several = { total: former.total, formerName: former.name, name: shape.name }
    return incompatibleMember(cls, id, [migrationViolation('SeveralMembers', '', several)])
  })

export const danglingIn = (links: readonly Link[], hasTarget: (link: Link) => boolean): ProblemData[] =>
  links
    .filter((link) => !hasTarget(link))
    .map(({ property, className, id }) => migrationViolation('NoSuchTarget', property, { className, id }))

/** The members whose value in one column of keys an earlier member has: the earlier id, their own, and their text. */
export const duplicatesText = (keys: string, members: string, column: string): string => `
  SELECT f.id, m.id, m.body
  FROM (
    SELECT ${column} AS key, min(sequence) AS first FROM ${keys} WHERE ${column} IS NOT NULL
    GROUP BY ${column} HAVING count(*) > 1 ORDER BY ${column} LIMIT ${MAX_REPORTED}
  ) r
  JOIN ${keys} k ON k.${column} = r.key AND k.sequence <> r.first
  JOIN ${members} m ON m.sequence = k.sequence
  JOIN ${members} f ON f.sequence = r.first
  ORDER BY r.key, k.sequence LIMIT ${MAX_REPORTED}`

const LONGEST_SHOWN = 100

export function duplicateMember(
  cls: FormerClass,
  moves: readonly Move[],
  key: KeyShape,
  [firstId, id, body]: readonly [firstId: string, id: string, body: string],
): IncompatibleMember {
  const address = addressToday(cls, firstId)
  const properties = namesInKey(key)
  const [property = ''] = properties
  const values = properties.map((name) => shown(body, name))
  const violation =
    properties.length === 1
      ? migrationViolation('DuplicateValue', property, { address, value: values[0] })
      : migrationViolation('DuplicateValues', property, { address, properties, values })
  return incompatibleMember(cls, id, [namedToday(violation, moves)])
}

/** The value as it was written, not its key. Undefined if the body has it under its former name. */
function shown(body: string, property: string): string | undefined {
  const values = JSON.parse(`{${body.slice(1)}}`) as Record<string, unknown>
  if (!Object.hasOwn(values, property)) return undefined
  const text = JSON.stringify(values[property])
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

/** Collects the changes that an API file makes to the members of a class. */
export function createFindings(cls: FormerClass) {
  const { name: className, properties } = cls.shape
  const names = new Map<string, { readonly name: UsedName; readonly ids: Set<string>; hasFormer: boolean }>()
  const moves = createCounter<Move>()
  // A property of the same name within an embedded value is found too, which is good enough for a hint.
  const unfilled = new Map(
    [...properties.keys()].map((property) => [property, `,${JSON.stringify(property)}:`]),
  )
  let members = 0
  return {
    add(id: string, converted: Converted): void {
      members += 1
      for (const [property, text] of unfilled) if (converted.body.includes(text)) unfilled.delete(property)
      moves.count(converted.moves ?? [])
      for (const name of converted.usedNames ?? []) {
        const known = names.get(name.property) ?? { name, ids: new Set(), hasFormer: false }
        names.set(name.property, known)
        if (name.under === 'was') known.hasFormer = true
        else if (known.ids.size < MAX_REPORTED) known.ids.add(id)
      }
    },
    /**
     * Members with values under the current name of a property, if other members have values under its former name: one of
     * the names is, or was, that of another property. Guessing which values are meant could mix them (as with classes,
     * plan.ts).
     */
    incompatible: (): IncompatibleMember[] =>
      [...names.values()].flatMap(({ name, ids, hasFormer }) =>
        (hasFormer ? [...ids] : []).map((id) => incompatibleMember(cls, id, [bothUsed(name)])),
      ),
    moves: moves.counted,
    changes: (): MigrationChange[] => [
      ...moves
        .counted()
        .map((move) =>
          move.change === 'hidden'
            ? { ...move, className, unfilled: [...unfilled.keys()] }
            : { ...move, className },
        ),
      ...[...properties].flatMap(([property, from]): MigrationChange[] =>
        from === undefined || members === 0 || !unfilled.has(property)
          ? []
          : [{ change: 'nothing renamed', property, from, className, members: 0 }],
      ),
    ],
  }
}

/** With the name that a renamed property has today. */
export function namedToday(violation: ProblemData, moves: readonly Move[]): MigrationViolation {
  const { property: newPath = '' } = violation.at
  const renamed = moves.find(({ change, property }) => change === 'renamed' && property === newPath)
  if (renamed?.change !== 'renamed') return violation
  return { ...violation, at: { property: renamed.from }, newPath }
}

function bothUsed({ property, was }: UsedName): ProblemData {
  const name = property.slice(property.lastIndexOf('/') + 1)
  return migrationViolation('BothNamesUsed', property, { name, was })
}

/** Counts members by their findings, each finding once per member. */
function createCounter<T extends object>() {
  const totals = new Map<string, number>()
  return {
    count(findings: readonly T[]): void {
      for (const text of new Set(findings.map((finding) => JSON.stringify(finding))))
        totals.set(text, (totals.get(text) ?? 0) + 1)
    },
    counted: () => [...totals].map(([text, members]) => ({ ...(JSON.parse(text) as T), members })),
  }
}

const isNoIndex = (part: string): boolean => !/^[0-9]/.test(part)

/** Counts the members that break each constraint. */
export function createViolationCounter({ name: className, violationsOf }: ClassSchema) {
  const { count, counted } = createCounter<Omit<BrokenConstraint, 'members'>>()
  const constraintOf = ({ code, at, values }: ProblemData) => {
    const property = at.property?.split('/').filter(isNoIndex).join('/') ?? ''
    return { violation: { code, at: { property }, values }, className }
  }
  return { count: (body: string) => count(violationsOf(body).map(constraintOf)), broken: counted }
}
