import { createParameters, isRepeatable } from '../api/query/parameters.ts'
import { hasCollection, type Model } from '../vocabulary/model.ts'
import type { DescribedApi } from './typescript.ts'

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
