/** A problem that the bridge itself finds. The API's own refusals are errors of the client. */
export class BridgeProblem<Code extends BridgeProblemCode = BridgeProblemCode> extends Error {
  override readonly name = 'BridgeProblem'
  readonly code: Code
  /** For the agent, beside the sentence. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: Code,
    values: Parameters<(typeof SENTENCES)[Code]>[0],
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super((SENTENCES[code] as (values: unknown) => string)(values))
    this.code = code
    this.details = details
  }
}

type NoValues = Readonly<Record<never, never>>

const listed = (names: readonly string[]): string => names.join(', ') || 'nothing'

/** What the operator reads when the bridge cannot start. No sentence repeats a value that may be a secret. */
const AT_START = {
  'address-missing': (_: NoValues) =>
    'Give the address of an API: hydrant-mcp http://localhost:8080/api [--read-only].',
  'address-invalid': (_: NoValues) => 'That is not an address; give one such as http://localhost:8080/api.',
  'credentials-in-address': (_: NoValues) =>
    'An address must not contain credentials; leave them out, and set HYDRANT_USER and HYDRANT_PARAPHRASE_FILE.',
  'unknown-argument': (_: NoValues) =>
    'The only arguments are the address of an API and --read-only; credentials come from HYDRANT_USER and HYDRANT_PARAPHRASE_FILE.',
  'user-missing': (_: NoValues) =>
    'There is a passphrase, but no user: set HYDRANT_USER to the id or the name.',
  'paraphrase-missing': (_: NoValues) =>
    'HYDRANT_USER is set, but no passphrase: set HYDRANT_PARAPHRASE_FILE to the name of a file that contains it.',
  'two-paraphrases': (_: NoValues) => 'Set HYDRANT_PARAPHRASE_FILE or HYDRANT_PARAPHRASE, but not both.',
  'paraphrase-file-unreadable': ({ file, systemCode }: { file: string; systemCode: string }) =>
    `The file that HYDRANT_PARAPHRASE_FILE names cannot be read (${systemCode}): ${file}`,
  'paraphrase-file-empty': ({ file }: { file: string }) =>
    `The file that HYDRANT_PARAPHRASE_FILE names has no passphrase in its first line: ${file}`,
}

/** What the agent reads, as the error of a tool. */
const AT_WORK = {
  'outside-api': ({ base }: { base: string }) =>
    `This address is not part of the API; only addresses at ${base} can be used.`,
  'unknown-class': ({ name, known }: { name: string; known: readonly string[] }) =>
    `The API has no class ${JSON.stringify(name)}; it has ${listed(known)}.`,
  'unknown-collection': ({ name, known }: { name: string; known: readonly string[] }) =>
    `The API has no collection ${JSON.stringify(name)}; it has ${listed(known)}.`,
  'not-a-filter': ({ name }: { name: string }) =>
    `${name}: give a text, a number, true or false, or a list of these; an operator is part of the name, as in "pages.gte".`,
  'not-alternatives': (_: NoValues) =>
    'or: give an object for each group of alternatives, as in {"a": {"name": "Ann", "born.lt": "1900"}}.',
  'version-missing': ({ operation }: { operation: string }) =>
    `${operation} needs ifMatch: read the member first, and send the etag of what you have read.`,
  changed: ({ address }: { address: string }) =>
    `${address} has changed since it was read; nothing was written.`,
  'unknown-operation': ({
    address,
    operation,
    known,
  }: {
    address: string
    operation: string
    known: readonly string[]
  }) => `${address} does not offer ${JSON.stringify(operation)} to you; it offers ${listed(known)}.`,
  'body-missing': ({ operation }: { operation: string }) => `${operation} needs a body.`,
  'text-cut': (_: NoValues) =>
    'The body contains a value that was cut; read the rest first, or update only other properties.',
  'no-rest': ({ address }: { address: string }) => `There is nothing more at ${address}.`,
  'read-in-part': (_: NoValues) =>
    'replace needs the whole member: read it at its address without fields, and use that address.',
  'paraphrase-in-body': (_: NoValues) =>
    'Passphrases do not pass through an agent; a person adds accounts and sets passphrases in the console or with hydrant user.',
  'result-too-long': ({ characters, most }: { characters: number; most: number }) =>
    `The result has ${characters} characters, more than ${most}; ask for less, with fields or itemsPerPage in a query or an address.`,
  'not-a-resource': (_: NoValues) =>
    'This is neither a collection nor a member, so it is no resource; the tool "read" reads every address of the API.',
  'no-feed': (_: NoValues) => 'This API does not report changes, so its resources cannot be subscribed to.',
  'too-many-subscriptions': ({ most }: { most: number }) =>
    `There are ${most} subscriptions already; end one before you begin another.`,
}

const SENTENCES = { ...AT_START, ...AT_WORK }

export type BridgeProblemCode = keyof typeof SENTENCES

export const PROBLEM_CODES = Object.keys(SENTENCES) as readonly BridgeProblemCode[]
