/** What is wrong in an API file and what would be right, with its place. */
export interface Problem {
  /** From 1; 0 where a line says nothing: the file as a whole, or a document that was expanded first. */
  readonly line: number
  readonly column: number
  /** For example `classes.Book.properties.title`; empty for the file itself. */
  readonly path: string
  readonly message: string
}

export const EMPTY_FILE = 'the file is empty; "hydrant init" writes one to start from'
