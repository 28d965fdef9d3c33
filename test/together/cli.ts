import { runTogether } from '../support/together.ts'

runTogether('cli', 1, 2)
