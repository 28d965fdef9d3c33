import { type CodesOf, problemsOf } from '../problem.ts'
import { suggestion } from '../text.ts'

/** Sentences about the options of `createHydrant`. */
export const OPTIONS = {
  NotAnOption: ({ name, known }: { name: string; known: readonly string[] }) =>
    `${name} is not an option; ${suggestion(name, known)}`,
  ModuleOption: 'with is for the command line; give hooks, operations and followers themselves.',
  WatchOption: 'watch is for the command line; restart the program, for example with node --watch.',
  OneApi: 'Give either apiFile, the path of an API file, or api, the same as an object.',
  OneProcess: 'workers: a program is one process; "hydrant serve --workers" starts several.',
}

export const optionProblem = problemsOf<CodesOf<typeof OPTIONS>>()
