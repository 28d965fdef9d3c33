import type { AnyApi } from 'hydrant-client'
import type { CustomOperation, Extensions, HooksOf, OperationsOf } from './types.ts'

/**
 * Returns its argument; its type also refuses names that the API does not have in what hooks return, which TypeScript
 * does not find with `satisfies Extensions<Shop>`.
 *
 * ```ts
 * export default defineExtensions<Shop>()({ hooks: { Order: { beforeWrite: ({ member }) => ({ ...member, total }) } } })
 * ```
 */
export const defineExtensions =
  <Api = AnyApi>() =>
  <const Given extends Extensions<Api>>(extensions: Given & Refused<Misspelt<Given, Api>>): Given =>
    extensions

/** No object has this property: the compiler shows it, with the names. */
type Refused<Names> = [Names] extends [never] ? unknown : { readonly 'these names are misspelt': Names }

/** The names that are misspelt, each with its path. Typed hooks may be of any class if the API has no types. */
type Misspelt<Given, Api> = string extends keyof Api
  ? never
  :
      | UnknownNames<Given, Extensions<Api>, ''>
      | InHooks<PartOf<Given, 'hooks'>, Api>
      | InOperations<PartOf<Given, 'operations'>, Api>

type PartOf<T, Name extends PropertyKey> = T extends { readonly [K in Name]: infer Value }
  ? NonNullable<Value>
  : Record<never, never>

type UnknownNames<Given, Known, Path extends string> = `${Path}${Exclude<keyof Given, keyof Known> & string}`

type InHooks<Given, Api> =
  | UnknownNames<Given, HooksOf<Api>, 'hooks.'>
  | {
      [Class in keyof Given & keyof HooksOf<Api> & string]:
        | UnknownNames<Given[Class], NonNullable<HooksOf<Api>[Class]>, `hooks.${Class}.`>
        | InReturned<
            PartOf<Given[Class], 'beforeWrite'>,
            MemberByClass<Api, Class>,
            `hooks.${Class}.beforeWrite: `
          >
    }[keyof Given & keyof HooksOf<Api> & string]

type InOperations<Given, Api> =
  | UnknownNames<Given, OperationsOf<Api>, 'operations.'>
  | {
      [Class in keyof Given & keyof OperationsOf<Api> & string]: {
        [Name in keyof Given[Class] & string]: UnknownNames<
          Given[Class][Name],
          CustomOperation,
          `operations.${Class}.${Name}.`
        >
      }[keyof Given[Class] & string]
    }[keyof Given & keyof OperationsOf<Api> & string]

type MemberByClass<Api, Class> = {
  [Name in keyof Api]: Api[Name] extends { readonly class: Class; readonly member: infer Member }
    ? Member
    : never
}[keyof Api]

type InReturned<Hook, Member, Path extends string> = Hook extends (write: never) => infer Returned
  ? InValue<Awaited<Returned>, Member, Path>
  : never

/** Names of a value, and of the values within it, that its type does not have. */
type InValue<Given, Known, Path extends string> = Given extends string | number | boolean | null | undefined
  ? never
  : Given extends readonly (infer One)[]
    ? NonNullable<Known> extends readonly (infer KnownOne)[]
      ? InValue<One, KnownOne, Path>
      : never
    : Given extends object
      ? string extends keyof NonNullable<Known>
        ? never
        :
            | `${Path}${Exclude<keyof Given, keyof NonNullable<Known>> & string}`
            | {
                [Name in keyof Given & keyof NonNullable<Known> & string]: InValue<
                  Given[Name],
                  NonNullable<Known>[Name],
                  `${Path}${Name}.`
                >
              }[keyof Given & keyof NonNullable<Known> & string]
      : never
