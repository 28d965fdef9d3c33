import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createChannel, type ThreadReply } from '../src/channel.ts'

test('requests of one turn share a message of at most sixteen, which is sent as soon as it is full', async () => {
  const messages: number[] = []
  let reply = (_replies: readonly ThreadReply[]): void => {}
  const channel = createChannel({
    start(onReplies) {
      reply = onReplies
      const send = (requests: readonly { id: number }[]) => void messages.push(requests.length)
      return { send, unref() {}, close: async () => {} }
    },
    unanswered: (cause) => cause,
  })
  const answers = Array.from({ length: 20 }, () => channel.ask({}))
  assert.deepEqual(messages, [16])
  await nextTurn()
  assert.deepEqual(messages, [16, 4])
  reply(answers.map((_, index) => ({ id: index + 1, value: index })))
  assert.deepEqual(
    await Promise.all(answers),
    answers.map((_, index) => index),
  )
  assert.ok(channel.isIdle())
})
