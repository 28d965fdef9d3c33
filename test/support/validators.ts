import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** By kind and name, as in `#/components/schemas/Book`. */
export type SchemaComponents = Readonly<Record<string, Readonly<Record<string, object>>>>

/**
 * For all documents: a compiler of its own for each would compile the schema of schemas first. Test/api/openapi checks
 * that schemas are valid; and a validator is used too seldom to be optimized.
 */
const ajv = new Ajv2020({
  strict: false,
  ownProperties: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
})
formats.default(ajv)
for (const name of ['decimal', 'int64']) ajv.addFormat(name, true)

/** By the text of a schema, whose references name components of whatever document. */
const validators = new Map<string, ValidateFunction>()

/** To compile a schema takes longer than to check a hundred responses, so each is compiled once in a process. */
export function validatorOf(schema: object, components: SchemaComponents): ValidateFunction {
  const text = textOf(schema, components)
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text))
  validators.set(text, validate)
  return validate
}

/** The text of a schema, with the addresses of components instead of their places in the document. */
const textOf = (schema: object, components: SchemaComponents): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? addressOf(value, components) : value,
  )

/** By the text of a component and of all that it refers to, which most documents have in common. */
const addresses = new Map<string, string>()
/** The same by reference, for each document. */
const known = new WeakMap<SchemaComponents, Map<string, string>>()

/** Where the compiler finds a component, which it compiles once for all schemas and documents that have it. */
function addressOf(reference: string, components: SchemaComponents): string {
  const ofDocument = known.get(components) ?? new Map<string, string>()
  known.set(components, ofDocument)
  const found = ofDocument.get(reference)
  if (found !== undefined) return found
  const whole = JSON.stringify([reference, referredFrom({ $ref: reference }, components)])
  const address = addresses.get(whole) ?? `https://components.example/${addresses.size}`
  // Before its own references are followed, which may lead back to it.
  ofDocument.set(reference, address)
  if (addresses.has(whole)) return address
  addresses.set(whole, address)
  const component = componentOf(reference, components)
  if (component !== undefined) ajv.addSchema(JSON.parse(textOf(component, components)), address)
  return address
}

function componentOf(reference: string, components: SchemaComponents): object | undefined {
  const [, , kind = '', name = ''] = reference.split('/')
  return components[kind]?.[name]
}

/** The components that a schema refers to, directly or through others, by their references. */
function referredFrom(schema: object, components: SchemaComponents): Record<string, object> {
  const referred: Record<string, object> = {}
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value && typeof value.$ref === 'string') {
      const reference = value.$ref
      const found = componentOf(reference, components)
      if (found !== undefined && referred[reference] === undefined) {
        referred[reference] = found
        follow(found)
      }
    }
    for (const one of Object.values(value)) follow(one)
  }
  follow(schema)
  return referred
}

export const errorsOf = ({ errors }: ValidateFunction): string => ajv.errorsText(errors, { dataVar: 'it' })
