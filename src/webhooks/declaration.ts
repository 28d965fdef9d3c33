/** A webhook as a program declares it, and a file lists it. */
export interface WebhookDeclaration {
  /** Lower-case letters, digits and "-", beginning with a letter. */
  readonly name: string
  /** The address of the receiver: `https:`, or on this machine. */
  readonly url: string
  /** The classes whose changes are sent. */
  readonly classes: readonly string[]
  /** The path of a file with one secret, or two while rotating, a line each: `whsec_` and 24 to 64 bytes in base64. */
  readonly secretFile: string
  /** The event has the member in full. */
  readonly include?: 'object'
}
