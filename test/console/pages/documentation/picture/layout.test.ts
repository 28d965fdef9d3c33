import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isTangle,
  layOut,
  MOST_LINES,
  MOST_LINKED,
} from '../../../../../console/pages/documentation/picture/layout.ts'
import {
  type Arrow,
  type ClassGraph,
  heightOfRow,
  type PictureLayout,
  type Point,
  type Rectangle,
  SIZES,
  widthOfBox,
} from '../../../../../console/pages/documentation/picture/sizes.ts'

type Written = readonly [from: string, name: string, to: string]

const link = ([from, name, to]: Written) => ({
  from,
  name,
  to,
  many: name.endsWith('s'),
  required: false,
  embedded: false,
})

const graphOf = (boxes: readonly string[], ...links: readonly Written[]): ClassGraph => ({
  boxes: boxes.map((id) => ({ id, title: id, href: '', lines: [{ name: 'name', type: 'text' }] })),
  links: links.map(link),
})

const anyGraph = fc.integer({ min: 0, max: MOST_LINKED }).chain((count) => {
  const id = fc.integer({ min: 0, max: Math.max(0, count - 1) }).map((number) => `class ${number}`)
  const words = fc.string({ unit: 'grapheme', maxLength: 40 })
  return fc.record({
    boxes: fc.array(
      fc.record({
        title: words,
        href: fc.constant(''),
        lines: fc.array(fc.record({ name: words, type: words }), { maxLength: 6 }),
      }),
      { minLength: count, maxLength: count },
    ),
    links: fc.array(
      fc.record({
        from: id,
        to: id,
        name: words,
        many: fc.boolean(),
        required: fc.boolean(),
        embedded: fc.boolean(),
      }),
      { maxLength: count === 0 ? 0 : 2 * count },
    ),
  })
})
const graphs = anyGraph.map(({ boxes, links }) => ({
  boxes: boxes.map((box, index) => ({ id: `class ${index}`, ...box })),
  links,
}))

/** Without what they have in common at their edges. */
const overlap = (one: Rectangle, other: Rectangle): boolean =>
  one.x + 0.01 < other.x + other.width &&
  other.x + 0.01 < one.x + one.width &&
  one.y + 0.01 < other.y + other.height &&
  other.y + 0.01 < one.y + one.height

const pairs = <T>(all: readonly T[]): [T, T][] =>
  all.flatMap((one, index) => all.slice(index + 1).map((other): [T, T] => [one, other]))

/** The room that each piece of a line may take; a link to the box itself reaches out to the right. */
const pieces = ({ points }: Arrow): Rectangle[] =>
  points.slice(1).map((to, index) => {
    const from = points[index] as Point
    const out = from.x === to.x ? SIZES.bulge : 0
    return {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(from.x - to.x) + out,
      height: Math.abs(from.y - to.y),
    }
  })

const isAtSide = ({ x, y }: Point, box: Rectangle | undefined): boolean =>
  box !== undefined &&
  y > box.y &&
  y < box.y + box.height &&
  (Math.abs(x - box.x) < 0.01 || Math.abs(x - box.x - box.width) < 0.01)

const boxNamed = ({ boxes }: PictureLayout, id: string) => boxes.find(({ box }) => box.id === id)

/** Fails with the first thing that is not as a picture should be. */
function checkPicture(graph: ClassGraph, layout: PictureLayout): void {
  const { boxes, arrows, width, height } = layout
  assert.deepEqual(boxes.map(({ box }) => box.id).toSorted(), graph.boxes.map(({ id }) => id).toSorted())
  assert.deepEqual(new Set(arrows.map((arrow) => arrow.link)), new Set(graph.links))
  assert.equal(arrows.length, graph.links.length)
  for (const [one, other] of pairs(boxes)) {
    assert.ok(!overlap(one, other), `${one.box.id} and ${other.box.id} overlap`)
  }
  for (const { link, points } of arrows) {
    const from = boxNamed(layout, link.from)
    const rows = from?.rows.flatMap((row, index) => (row.link === link ? index : [])) ?? []
    assert.equal(rows.length, 1, `${link.name} is not written once`)
    assert.equal(from?.rows[rows[0] ?? 0]?.name, link.name)
    assert.ok(isAtSide(points[0] as Point, from), `${link.from} is not where it begins`)
    assert.equal(
      points[0]?.y,
      (from?.y ?? 0) + heightOfRow(rows[0] ?? 0),
      `${link.name} is not beside its name`,
    )
    assert.ok(isAtSide(points.at(-1) as Point, boxNamed(layout, link.to)), `${link.to} is not where it ends`)
  }
  const lines = arrows.flatMap((arrow) => pieces(arrow).map((piece) => ({ ...piece, name: arrow.link.name })))
  // All words are within boxes, one row below the other.
  for (const { box, rows, ...place } of boxes) {
    for (const line of lines) assert.ok(!overlap(place, line), `${line.name} goes through ${box.id}`)
    assert.ok(widthOfBox(box.title, rows) <= place.width, `the words of ${box.id} are cut off`)
    assert.ok(
      rows.length === 0 || heightOfRow(rows.length - 0.5) <= place.height,
      `the rows of ${box.id} are cut off`,
    )
  }
  for (const place of [...boxes, ...lines]) {
    assert.ok(place.x >= 0 && place.y >= 0, 'Something lies to the left of the picture, or above')
    assert.ok(place.x + place.width <= width && place.y + place.height <= height, 'Something is cut off')
  }
}

test('boxes, lines and labels never overlap, for random classes and links', () => {
  fc.assert(
    fc.property(graphs, (graph) => checkPicture(graph, layOut(graph))),
    { numRuns: 150 },
  )
})

test('a class is to the left of the classes that it links to, and links that close a cycle point back', () => {
  const graph = graphOf(
    ['Author', 'Book', 'Review'],
    ['Book', 'author', 'Author'],
    ['Review', 'book', 'Book'],
    ['Author', 'favourite', 'Review'],
  )
  const layout = layOut(graph)
  checkPicture(graph, layout)
  assert.equal(new Set(layout.boxes.map(({ x }) => x)).size, 3)
  const back = layout.arrows.filter(({ points }) => (points[0]?.x ?? 0) > (points.at(-1)?.x ?? 0))
  assert.equal(back.length, 1)
  assert.equal(back[0]?.points[0]?.x, boxNamed(layout, back[0]?.link.from ?? '')?.x)
})

test('two classes with one link are side by side, joined by a straight line', () => {
  const layout = layOut(graphOf(['Author', 'Book'], ['Book', 'author', 'Author']))
  const [arrow] = layout.arrows
  assert.equal(new Set(arrow?.points.map(({ y }) => y)).size, 1)
  assert.ok((boxNamed(layout, 'Book')?.x ?? 0) < (boxNamed(layout, 'Author')?.x ?? 0))
})

test('a link of a class to itself leaves its box and returns, apart from its other links', () => {
  const graph = graphOf(
    ['Person', 'Place'],
    ['Person', 'friends', 'Person'],
    ['Person', 'boss', 'Person'],
    ['Person', 'home', 'Place'],
  )
  const layout = layOut(graph)
  checkPicture(graph, layout)
  const alone = graphOf(['Person'], ['Person', 'friends', 'Person'])
  checkPicture(alone, layOut(alone))
})

test('classes without links are in rows that are no wider than the page', () => {
  const graph = graphOf(Array.from({ length: 30 }, (_, index) => `Class ${index}`))
  const layout = layOut(graph)
  checkPicture(graph, layout)
  assert.ok(layout.width < 960, `${layout.width}`)
  assert.ok(layout.height < 960, `${layout.height}`)
})

test('more than forty classes are boxes in rows, without lines', () => {
  const names = Array.from({ length: MOST_LINKED + 1 }, (_, index) => `Class ${index}`)
  const { boxes, arrows } = layOut(graphOf(names, ['Class 0', 'next', 'Class 1']))
  assert.equal(boxes.length, MOST_LINKED + 1)
  assert.deepEqual(arrows, [])
})

test('links to classes that are not shown are left out', () => {
  const { arrows } = layOut(graphOf(['Book'], ['Book', 'author', 'Author'], ['Shop', 'books', 'Book']))
  assert.deepEqual(arrows, [])
})

/** How often lines cross between columns. */
function crossings({ arrows }: PictureLayout): number {
  const pieces = arrows.flatMap(({ points }) =>
    points.slice(1).map((to, index) => [points[index] as Point, to]),
  )
  const inOrder = pieces.map((ends) => ends.toSorted((one, other) => one.x - other.x) as [Point, Point])
  return pairs(inOrder).filter(
    ([[from, to], [otherFrom, otherTo]]) =>
      from.x === otherFrom.x && to.x === otherTo.x && (from.y - otherFrom.y) * (to.y - otherTo.y) < 0,
  ).length
}

test('columns are ordered so that links cross as little as possible', () => {
  // Three of the left to three of the right, each to the one opposite: from above to below, and the other way round.
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  assert.equal(crossings(layOut(graphOf(names, ['a', 'to', 'f'], ['b', 'to', 'e'], ['c', 'to', 'd']))), 0)
  const everyPair = ['a', 'b'].flatMap((from) => ['c', 'd'].map((to): Written => [from, `to ${to}`, to]))
  assert.equal(crossings(layOut(graphOf(names.slice(0, 4), ...everyPair))), 1)
})

test('lines do not cross if each class links to one other class, without a cycle', () => {
  const trees = fc.array(fc.nat(), { maxLength: MOST_LINKED - 1 }).map((numbers) => {
    const links = numbers.map((number, index): Written => [`${index + 1}`, 'to', `${number % (index + 1)}`])
    return graphOf(['0', ...links.map(([from]) => from)], ...links)
  })
  fc.assert(fc.property(trees, (graph) => assert.equal(crossings(layOut(graph)), 0)))
})

test('a link that passes below the last box of a column is within the picture', () => {
  const links = ['b to d', 'b to a', 'c to a', 'd to a'].map((text) => text.split(' ') as unknown as Written)
  const { boxes, ...graph } = graphOf(['a', 'b', 'c', 'd'], ...links)
  const bare = { ...graph, boxes: boxes.map((box) => ({ ...box, lines: [] })) }
  checkPicture(bare, layOut(bare))
})

test('a long link passes through every column between its two boxes', () => {
  const graph = graphOf(['a', 'b', 'c'], ['a', 'next', 'b'], ['b', 'next', 'c'], ['a', 'last', 'c'])
  const layout = layOut(graph)
  checkPicture(graph, layout)
  const long = layout.arrows.find(({ link }) => link.name === 'last')
  assert.equal(new Set(layout.boxes.map(({ x }) => x)).size, 3)
  // Where it leaves a column, and where it comes to the next.
  assert.equal(long?.points.length, 6)
})

test('too many links between a few classes are only listed, not drawn', () => {
  const names = Array.from({ length: 13 }, (_, index) => `Class ${index}`)
  const pairs = names.flatMap((from) => names.map((to): [string, string, string] => [from, `to ${to}`, to]))
  const most = graphOf(names, ...pairs.slice(0, MOST_LINES))
  assert.equal(isTangle(most), false)
  assert.equal(layOut(most).arrows.length, MOST_LINES)
  const tangle = graphOf(names, ...pairs.slice(0, MOST_LINES + 1))
  assert.equal(isTangle(tangle), true)
  assert.deepEqual(layOut(tangle).arrows, [])
  assert.equal(layOut(tangle).boxes.length, names.length)
})
