import { problemsOf } from '../problem.ts'

interface AtAddress {
  /** The address that was given. */
  readonly address: string
}

interface AtDocumentation extends AtAddress {
  /** The address of the documentation. */
  readonly url: string
}

/** Why the types of a served API cannot be written. Texts of a server have no control characters here. */
export interface ServedProblems {
  /** `entryPoint`: its address according to the documentation. */
  NotTheEntryPoint: AtAddress & { readonly entryPoint: string | undefined }
  NoDocumentationThere: AtDocumentation
  NotDocumentation: AtDocumentation
  NoDocumentedClass: AtDocumentation
  /** `iri`: the IRI of the entry point, which is not below the address. */
  OtherBase: AtAddress & { readonly iri: string }
}

export const servedProblem = problemsOf<ServedProblems>()
