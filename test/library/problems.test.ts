import { describe } from 'node:test'
import { OPTIONS } from '../../src/library/problems.ts'
import { testSentences } from '../support/sentences.ts'

describe('sentences about the options of a program', () => {
  testSentences(OPTIONS, [
    [
      'NotAnOption',
      { name: 'pagesize', known: ['pageSize', 'db'] },
      'pagesize is not an option; did you mean "pageSize"?',
    ],
    ['ModuleOption', {}, 'with is for the command line; give hooks, operations and followers themselves.'],
    ['WatchOption', {}, 'watch is for the command line; restart the program, for example with node --watch.'],
    ['OneApi', {}, 'Give either apiFile, the path of an API file, or api, the same as an object.'],
    ['OneProcess', {}, 'workers: a program is one process; "hydrant serve --workers" starts several.'],
  ])
})
