import { createParameters, isRepeatable } from '../api/query/parameters.ts'
import { hasCollection, type Model } from '../vocabulary/model.ts'

/** An API, as far as its types need it. */
export interface DescribedApi {
  readonly model: Model
  /** What can be asked of the collection of each class, by its name; nothing where nothing can be asked. */
  readonly questions: ReadonlyMap<string, readonly Variable[]>
  /** Whether the entry point has a collection or a single resource under its name. */
  readonly isEntered: (path: string) => boolean
  /** Whether members say what they are by the name of their class alone. */
  readonly saysNames: boolean
}

/** One thing that a collection can be asked, as its search template names it. */
export interface Variable {
  readonly name: string
  /** Several values ask for any of them. */
  readonly isRepeatable: boolean
  readonly isRequired: boolean
}

/** What would be served of an API file. */
export const describeModel = (model: Model): DescribedApi => ({
  model,
  questions: new Map(
    model.classes.filter(hasCollection).map((cls) => [
      cls.name,
      createParameters(cls).all.map((parameter) => ({
        name: parameter.name,
        isRepeatable: isRepeatable(parameter),
        isRequired: false,
      })),
    ]),
  ),
  isEntered: () => true,
  saysNames: true,
})
