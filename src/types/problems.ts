import { problemsOf } from '../problem.ts'

interface AtAddress {
  /** The address that was given. */
  readonly address: string
}

interface AtDocumentation extends AtAddress {
  /** The address of the documentation. */
  readonly url: string
}

/** Why the types of a served API cannot be written. What a server has sent has no control characters here. */
export interface ServedProblems {
  /** `entryPoint`: where the documentation says it is. */
  NotTheEntryPoint: AtAddress & { readonly entryPoint: string | undefined }
  NoDocumentationThere: AtDocumentation
  NotDocumentation: AtDocumentation
  NoDocumentedClass: AtDocumentation
  /** `iri`: of the entry point, which is not below the address. */
  OtherBase: AtAddress & { readonly iri: string }
}

export const servedProblem = problemsOf<ServedProblems>()
