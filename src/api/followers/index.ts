/** Runs followers, of a program or any other. Apart from `api/index.ts`, since only a service does. */
export type { FollowerReports } from './attempts.ts'
export { type CallDependencies, createFollowerCalls } from './calls.ts'
export { type FollowerFigures, type RunningFollowers, startFollowers } from './runner.ts'
