import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcementAt, duration, remaining } from '../../../../console/shared/controls/time-left.ts'

test('the remaining time is shown in minutes, and in seconds at the end', () => {
  const cases = [
    [45 * 60_000, '45 min', 'PT45M0S'],
    [45 * 60_000 - 1, '45 min', 'PT45M0S'],
    [44 * 60_000 + 59_000, '44 min', 'PT44M59S'],
    [5 * 60_000, '5 min', 'PT5M0S'],
    [5 * 60_000 - 1_000, '4:59', 'PT4M59S'],
    [61_000, '1:01', 'PT1M1S'],
    [9_001, '0:10', 'PT0M10S'],
    [1, '0:01', 'PT0M1S'],
    [0, '0:00', 'PT0M0S'],
    [-5_000, '0:00', 'PT0M0S'],
  ] as const
  for (const [milliseconds, shown, value] of cases) {
    assert.equal(remaining(milliseconds), shown)
    assert.equal(duration(milliseconds), value)
  }
})

test('the announcement about the time changes twice: five minutes before the end and at the end', () => {
  const said = []
  for (let left = 45 * 60_000; left > -60_000; left -= 1_000) said.push(announcementAt(left))
  assert.deepEqual(
    [...new Set(said)],
    [
      '',
      'Your token expires in less than 5 minutes.',
      'Your token has expired. Sign in again to continue; nothing on this page is lost.',
    ],
  )
  assert.equal(said.filter((sentence) => sentence === '').length, 40 * 60)
})
