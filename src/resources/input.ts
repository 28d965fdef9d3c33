import { isDeepStrictEqual } from 'node:util'
import { invalid, type Violation } from '../errors.ts'
import { isObject, type JsonObject, type JsonValue, Numeral } from '../json.ts'
import { suggestion } from '../nearest.ts'
import type { Link, NewMember, UniqueValue } from '../store/store.ts'
import { classIri, memberContext } from '../vocabulary/contexts.ts'
import { datatypeOf } from '../vocabulary/datatypes.ts'
import type { Class, Property } from '../vocabulary/model.ts'
import { compileValidator, MAX_VALUES } from '../vocabulary/schema.ts'
import { type Values, writeText } from './stored-text.ts'

/** What was sent for a new member, checked against its class and ready to be stored. */
export interface Input {
  /** 422 that names every violation. `now` is for defaults. */
  read(sent: JsonObject, id: string, now: number): NewMember
}

export const ID = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,128}$/

/** Generic admin clients send these back with what they read (hypermedia.md, Writing). */
const IGNORED = ['id', 'originId']

/** So many violations are named at least: a megabyte of unknown keys would have a hundred thousand. */
const NAMED = 100

export function createInput(cls: Class, base: string): Input {
  const validate = compileValidator(cls)
  const properties = new Map(cls.properties.map((property) => [property.name, property]))
  const envelope = createEnvelope(cls, base)

  return {
    read(sent, id, now) {
      const violations: Violation[] = []
      const values: Record<string, unknown> = Object.create(null)
      const report = (propertyPath: string, message: string) => violations.push({ propertyPath, message })

      for (const [name, value] of Object.entries(sent)) {
        if (violations.length >= NAMED) {
          throw invalid([...violations, { propertyPath: '', message: 'There is more that is wrong.' }])
        }
        const property = properties.get(name)
        if (property !== undefined) {
          if (property.writable) readProperty(property, value, values, report)
          else report(name, 'is read-only; leave it out.')
        } else if (name.startsWith('@')) {
          const problem = envelope(name, value)
          if (problem !== undefined) report(name, problem)
        } else if (!IGNORED.includes(name)) {
          report(
            name.slice(0, 100),
            ended(`is not a property of ${cls.name}; ${suggestion(name, [...properties.keys()])}`),
          )
        }
      }
      addDefaults(cls, values, now)
      const reported = new Set(violations.map(({ propertyPath }) => propertyPath))
      violations.push(...validate(values).filter(({ propertyPath }) => !reported.has(propertyPath)))
      if (violations.length > 0) throw invalid(violations)
      return {
        id,
        fingerprint: cls.fingerprint,
        ...writeText(cls, values),
        links: linksOf(cls, values),
        unique: uniqueOf(cls, values),
      }
    },
  }

  /** JSON-LD: null is no value, and one value is the same as a list of one. */
  function readProperty(
    property: Property,
    sent: JsonValue,
    values: Record<string, unknown>,
    report: (propertyPath: string, message: string) => void,
  ): void {
    const { name, many } = property
    const all = (Array.isArray(sent) ? sent : [sent]).filter((value) => value !== null)
    if (all.length === 0) return
    if (all.length > (many ? MAX_VALUES : 1)) {
      const right = many ? `must have at most ${MAX_VALUES} values` : 'takes one value'
      report(name, `${right}, not ${all.length}.`)
      return
    }
    const read = all.map((value, index) => {
      const reading = readValue(property, value)
      if ('message' in reading) report(many ? `${name}/${index}` : name, reading.message)
      return 'value' in reading ? reading.value : undefined
    })
    values[name] = many ? read : read[0]
  }

  function readValue({ range }: Property, sent: JsonValue): { value: unknown } | { message: string } {
    if (range.kind === 'datatype') return datatypeOf(range.datatype).read(sent)
    const iri = isObject(sent) && Object.keys(sent).join() === '@id' ? sent['@id'] : sent
    const id = typeof iri === 'string' ? idWithin(range.collection, iri) : undefined
    if (id !== undefined) return { value: `/${range.collection}/${id}` }
    return {
      message: `must be the address of a member of ${range.collection}, such as ${base}/${range.collection}/{id}.`,
    }
  }

  /** Relative addresses are relative to the collection that is written to. */
  function idWithin(collection: string, iri: string): string | undefined {
    // URL would tidy these up; RFC 3986 knows none of them.
    if (/[\s\\\p{Cc}]/u.test(iri)) return undefined
    const start = `${base}/${collection}/`
    const absolute = URL.parse(iri, `${base}/${cls.collection}`)?.href
    const id = absolute?.startsWith(start) ? absolute.slice(start.length) : ''
    return ID.test(id) ? id : undefined
  }
}

/** Keywords that agree with where the body was sent are ignored; what is wrong with others is returned. */
function createEnvelope(cls: Class, base: string): (keyword: string, value: JsonValue) => string | undefined {
  const context = memberContext(cls, base)
  const types = [cls.name, classIri(cls, base), `${base}/vocab#${cls.name}`]
  return (keyword, value) => {
    switch (keyword) {
      case '@context':
        if (
          value === `${base}/contexts/${cls.name}` ||
          isDeepStrictEqual(plain(value), plain(context as never))
        )
          return undefined
        return `must be the context of ${cls.name}, or its address ${base}/contexts/${cls.name}, or be left out.`
      case '@type':
        if ((Array.isArray(value) ? value : [value]).every((type) => types.includes(type as string)))
          return undefined
        return `must be ${JSON.stringify(cls.name)} here, or be left out.`
      case '@id':
        return 'is chosen by the server for a new member; leave it out.'
      default:
        return 'is not understood here; leave it out.'
    }
  }
}

function addDefaults(cls: Class, values: Record<string, unknown>, now: number): void {
  for (const property of cls.properties) {
    if (property.default === undefined || Object.hasOwn(values, property.name)) continue
    values[property.name] = property.default.kind === 'value' ? property.default.value : nowAs(property, now)
  }
}

function nowAs({ range }: Property, now: number): string {
  const instant = new Date(now).toISOString()
  return range.kind === 'datatype' && range.datatype === 'date' ? instant.slice(0, 10) : instant
}

function linksOf(cls: Class, values: Values): Link[] {
  return cls.properties.flatMap(({ name, range }) => {
    if (range.kind !== 'link') return []
    return listOf(values, name).map((path) => ({
      property: name,
      className: range.className,
      id: (path as string).slice(range.collection.length + 2),
    }))
  })
}

function uniqueOf(cls: Class, values: Values): UniqueValue[] {
  return cls.properties.flatMap(({ name, range, unique }) => {
    if (!unique) return []
    const key = (value: unknown) =>
      range.kind === 'datatype' ? datatypeOf(range.datatype).key(value as never) : (value as string)
    return [...new Set(listOf(values, name).map(key))].map((one) => ({ property: name, key: one }))
  })
}

function listOf(values: Values, name: string): readonly unknown[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** Several violations make one text: each is a sentence. */
const ended = (message: string): string => (message.endsWith('?') ? message : `${message}.`)

/** For comparison alone: numbers as numbers, objects with a prototype. */
const plain = (value: JsonValue): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (one instanceof Numeral ? Number(one.source) : one)))
