import { type CodesOf, problemsOf, violationsOf } from '../../problem.ts'
import { suggestion } from '../../text.ts'

interface PortFlag {
  readonly port: number
  /** To choose another one. */
  readonly flag: string
}

interface NameAmong {
  readonly name: string
  readonly known: readonly string[]
}

/** Sentences about a service that cannot start. */
export const START = {
  PortTaken: ({ host, port, flag }: PortFlag & { host: string }) =>
    `Port ${port} of ${host} is taken by another program; stop that one, or choose a port with ${flag} (0 for any free one).`,
  PortForbidden: ({ port, flag }: PortFlag) =>
    `This user may not listen on port ${port}; choose one from 1024 up with ${flag}.`,
  ForeignAddress: ({ host, flag }: { host: string; flag: string }) =>
    `${host} is not an address of this machine; choose one with ${flag}, such as 127.0.0.1 or 0.0.0.0.`,
  /** `folder`: of this package, from the current one; empty where that is the same. */
  ConsoleNotBuilt: ({ folder }: { folder: string }) =>
    `The console is not built; build it with: npm ${folder === '' ? '' : `--prefix ${folder} `}run build`,
  RulesWithoutUsers: ({ file = 'the API file' }: { file: string | undefined }) =>
    `${file} has access rules, and with authentication off users cannot be told apart; ` +
    'leave --no-auth out, or remove the rules from the file.',
  /** `line`: undefined where the error does not come from the module itself. */
  ModuleNotLoaded: ({ path, line, reason }: { path: string; line: number | undefined; reason: string }) =>
    `${path}${line === undefined ? '' : `:${line}`} cannot be loaded: ${reason}`,
  ModuleTimeout: ({ path, seconds }: { path: string; seconds: number }) =>
    `${path} has not finished loading after ${seconds} s: it awaits something at its top level.`,
  NoDefaultExport: ({ path }: { path: string }) =>
    `${path} has no default export with hooks, operations or followers; add: export default { hooks: { … } }`,
  UnknownExtension: ({ path, name, known }: NameAmong & { path: string }) =>
    `${path}: the default export cannot have "${name}"; ${suggestion(name, known)}`,
  AccountsInTransaction:
    'Accounts cannot be written in a transaction, since users are kept apart from members; write them before or after it.',
  NoSuchMembers: ({ name, known }: NameAmong) =>
    `There are no members called ${JSON.stringify(name)}; ${suggestion(name, known)}`,
  /** Its violations are below, a line each. */
  InvalidHooks: '',
  InvalidFollowers: '',
}

export const startProblem = problemsOf<CodesOf<typeof START>>()

/** Sentences about hooks, each at its path. */
export const HOOKS = {
  UnknownHookClass: ({ name, known }: NameAmong) =>
    `"${name}" is not a class with members; ${suggestion(name, known)}`,
  UnknownHook: ({ name, known }: NameAmong) => `"${name}" is not a hook; ${suggestion(name, known)}`,
  HookNotFunction: 'this must be a function.',
}

/** `property`: the path of the hook, such as `hooks.Order`. */
export const hookViolation = violationsOf<CodesOf<typeof HOOKS>>()

/** Sentences about followers, each at its path. */
export const FOLLOWERS = {
  FollowerName:
    'the name of a follower has letters a to z, digits and hyphens, at most 64, and begins with a letter.',
  NotFollower: 'this must be an object with classes and handle.',
  UnknownKey: ({ name, known }: NameAmong) =>
    `"${name}" is not part of a follower; ${suggestion(name, known)}`,
  NoClasses: "this must be a list of the classes to follow, such as ['Order'].",
  UnknownClass: HOOKS.UnknownHookClass,
  NotFunction: HOOKS.HookNotFunction,
}

/** `property`: the path of the follower, such as `followers.mail`. */
export const followerViolation = violationsOf<CodesOf<typeof FOLLOWERS>>()
