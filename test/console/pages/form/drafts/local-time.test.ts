import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromField,
  momentText,
  readMoment,
  toField,
  withClock,
  zoneHere,
} from '../../../../../console/pages/form/drafts/local-time.ts'

test('a date and time is shown in its own time zone, and sent back unchanged', () => {
  for (const text of [
    '2024-02-29T12:30:00Z',
    '2024-02-29T12:30:45+05:30',
    '2024-02-29T00:00:00-00:00',
    '2024-02-29T12:30:00',
  ]) {
    const moment = readMoment(text)
    assert.ok(moment, text)
    assert.equal(momentText({ ...moment, clock: fromField(toField(moment.clock)) }), text)
  }
  assert.equal(toField('2024-02-29T12:30:00'), '2024-02-29T12:30')
  assert.equal(toField('2024-02-29T12:30:01'), '2024-02-29T12:30:01')
  assert.equal(momentText({ clock: '', zone: 'Z' }), '')
})

test('a value that the browser’s field would change stays text', () => {
  const texts = [
    '2024-02-29T12:30:00.5Z',
    '2024-02-29T24:00:00Z',
    '2023-02-29T12:30:00Z',
    '-0044-03-15T12:00:00Z',
    '0000-01-01T00:00:00Z',
    '12024-02-29T12:30:00Z',
    '2024-02-29T12:30Z',
    'noon',
  ]
  for (const text of texts) assert.equal(readMoment(text), undefined, text)
})

test('a changed time keeps the chosen time zone, and the local zone follows daylight saving time', (t) => {
  const { TZ } = process.env
  t.after(() => {
    process.env.TZ = TZ
    if (TZ === undefined) delete process.env.TZ
  })
  process.env.TZ = 'Europe/Zurich'
  const winter = '2024-01-31T12:00:00'
  const summer = '2024-07-31T12:00:00'
  assert.deepEqual([zoneHere(winter), zoneHere(summer)], ['+01:00', '+02:00'])
  assert.deepEqual(withClock({ clock: winter, zone: '+01:00' }, summer), { clock: summer, zone: '+02:00' })
  assert.deepEqual(withClock({ clock: winter, zone: 'Z' }, summer), { clock: summer, zone: 'Z' })
  assert.deepEqual(withClock({ clock: winter, zone: '-03:30' }, summer), { clock: summer, zone: '-03:30' })
  process.env.TZ = 'America/St_Johns'
  assert.equal(zoneHere(winter), '-03:30')
  process.env.TZ = 'UTC'
  assert.equal(zoneHere(summer), 'Z')
})
