/** An embedded store answers at once, one across a network later; callers always `await`. */
export type Awaitable<T> = T | Promise<T>
