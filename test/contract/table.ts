/**
 * One sentence or table row of the contract, by its first words, and the names of the tests that hold it.
 * A sentence that states nothing about the service (a heading in disguise, "not shown") says so instead.
 */
export interface Row {
  readonly says: string
  readonly heldBy: readonly string[]
  readonly holdsNothing?: string
}

export const held = (says: string, ...heldBy: readonly string[]): Row => ({ says, heldBy })

export const nothing = (says: string, holdsNothing: string): Row => ({ says, heldBy: [], holdsNothing })
