import type { Dispatch, ResourceDependencies, RunningTransaction, Transactions } from '../api/index.ts'
import { createMembers, forProgram, type MembersAs } from './members.ts'

interface ProgramMembersDependencies {
  readonly resources: ResourceDependencies
  readonly createDispatch: (resources: ResourceDependencies) => Dispatch
  readonly transactions: Transactions
  /** Serves the API as users see it. */
  readonly dispatch: Dispatch
}

/** The members that programs, hooks and operations use: each write its own commit, or several in a transaction. */
export function createProgramMembers({
  resources,
  createDispatch,
  transactions,
  dispatch,
}: ProgramMembersDependencies): MembersAs {
  const { model, base, store } = resources
  const asProgram = { ...resources, model: forProgram(model) }
  const inTransaction = { ...store, members: transactions.members }
  const membersBy = createMembers({ model, base })
  const outside =
    (run: Dispatch): Dispatch =>
    (...args) =>
      transactions.outside(() => run(...args))

  const plain = membersBy({
    dispatch: outside(dispatch),
    dispatchAsProgram: outside(onFirstUse(() => createDispatch(asProgram))),
    transact: (principal, work) =>
      transactions.run(async (transaction) => work(membersIn(transaction)(principal))),
  })

  const dispatchIn = onFirstUse(() => createDispatch({ ...resources, store: inTransaction }))
  const dispatchAsProgramIn = onFirstUse(() => createDispatch({ ...asProgram, store: inTransaction }))

  function membersIn(transaction: RunningTransaction): MembersAs {
    const within =
      (run: Dispatch): Dispatch =>
      async (...args) => {
        await transaction.pause()
        return transaction.within(() => run(...args))
      }
    const members = membersBy({
      dispatch: within(dispatchIn),
      dispatchAsProgram: within(dispatchAsProgramIn),
      // A transaction within a transaction is a part of it, which can fail by itself.
      transact: (principal, work) => transaction.undoing(async () => work(members(principal))),
      track: (call) => transaction.track(call),
    })
    return members
  }

  return (principal) => {
    const transaction = transactions.current()
    return transaction === undefined ? plain(principal) : membersIn(transaction)(principal)
  }
}

/** Most programs never write by themselves: their resources are created when they are first needed. */
export function onFirstUse(create: () => Dispatch): Dispatch {
  let created: Dispatch | undefined
  return (...args) => {
    created ??= create()
    return created(...args)
  }
}
