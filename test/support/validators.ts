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

/** By the text of a schema and of all that it refers to, which most documents have in common. */
const validators = new Map<string, ValidateFunction>()

/** To compile a schema takes longer than to check a hundred responses, so each is compiled once in a process. */
export function validatorOf(schema: object, components: SchemaComponents): ValidateFunction {
  const root = { ...schema, components: referredFrom(schema, components) }
  const text = JSON.stringify(root)
  const validate = validators.get(text) ?? ajv.compile(root)
  validators.set(text, validate)
  return validate
}

/** The components that a schema refers to, directly or through others. */
function referredFrom(schema: object, components: SchemaComponents): SchemaComponents {
  const referred: Record<string, Record<string, object>> = {}
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('$ref' in value) {
      const [, , kind = '', name = ''] = String(value.$ref).split('/')
      const found = components[kind]?.[name]
      referred[kind] ??= {}
      if (found !== undefined && referred[kind][name] === undefined) {
        referred[kind][name] = found
        follow(found)
      }
    }
    for (const one of Object.values(value)) follow(one)
  }
  follow(schema)
  return referred
}

export const errorsOf = ({ errors }: ValidateFunction): string => ajv.errorsText(errors, { dataVar: 'it' })
