import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { parse } from 'yaml'
import { openStory } from './story.ts'

/** A page as plain JSON, without what is not of interest here. */
const membersIn = (text = ''): Record<string, unknown>[] => JSON.parse(text).member

test('docs/from-json-server.md works as printed: an API file for db.json, an import, and requests', async (t) => {
  const story = openStory(t, 'docs/from-json-server.md')
  const [db, api] = [story.blocks('json')[0], story.blocks('yaml')[0]]
  story.write('db.json', db)
  const [load = '', ask = ''] = story.blocks('sh')
  const [imported = ''] = await story.type([load])
  assert.match(imported, /^4 added, 0 already there, 0 refused/m)
  assert.deepEqual(parse(story.read('api.yaml')).classes, parse(api ?? '').classes)

  const env = await story.serve(story.linesOf('serve')[0] ?? [])
  const [said = ''] = await story.type([ask.replaceAll(/^curl .*$/gm, '$&; echo')], env)
  const [posts, comments, profile] = said.split('\n')
  assert.deepEqual(
    membersIn(posts).map(({ title }) => title),
    ['another title'],
  )
  const [{ post } = {}] = membersIn(comments)
  assert.equal((post as Record<string, unknown>).title, 'a title')
  assert.equal(JSON.parse(profile ?? '').name, 'typicode')
})

/** As PocketBase 0.23 and newer has its collections and records. */
const POCKETBASE = `
  CREATE TABLE _collections (id TEXT, system BOOLEAN, type TEXT, name TEXT, fields JSON);
  INSERT INTO _collections VALUES
    ('pbc_1', TRUE, 'auth', '_superusers', '[]'),
    ('pbc_2', FALSE, 'auth', 'users', '[]'),
    ('pbc_3', FALSE, 'base', 'authors', '[{"name":"id","type":"text"},{"name":"name","type":"text"}]'),
    ('pbc_4', FALSE, 'base', 'posts', '[{"name":"id","type":"text"},{"name":"title","type":"text"},
      {"name":"views","type":"number"},{"name":"draft","type":"bool"},{"name":"author","type":"relation","maxSelect":1},
      {"name":"tags","type":"select","maxSelect":3},{"name":"place","type":"json"},{"name":"cover","type":"file"},
      {"name":"created","type":"autodate"},{"name":"shown","type":"date"}]');
  CREATE TABLE authors (id TEXT PRIMARY KEY, name TEXT);
  CREATE TABLE posts (id TEXT PRIMARY KEY, title TEXT, views NUMERIC, draft BOOLEAN, author TEXT, tags JSON,
    place JSON, cover TEXT, created TEXT, shown TEXT);
  INSERT INTO authors VALUES ('a5x9qj2kd0w3m7z', 'Ann');
  INSERT INTO posts VALUES ('p1x9qj2kd0w3m7z', 'Tea', 12, TRUE, 'a5x9qj2kd0w3m7z', '["hot","green"]', '{"city":"Ulm"}',
    'cup.png', '2026-03-01 10:00:00.123Z', '');
`

test('docs/from-pocketbase.md works as printed: the script reads the records, and they are imported with links', async (t) => {
  const story = openStory(t, 'docs/from-pocketbase.md')
  const database = new DatabaseSync(story.makePath('pb_data/data.db'))
  database.exec(POCKETBASE)
  database.close()
  story.write('package.json', '{ "type": "module" }')
  story.write('pocketbase.js', story.blocks('js')[0])
  const [imported = ''] = await story.type([`node() { '${process.execPath}' "$@"; }`, ...story.blocks('sh')])
  assert.equal(imported, '')
  const { Post } = parse(story.read('api.yaml')).classes
  assert.equal(Post.properties.author, 'Author')
  assert.equal(Post.properties.created.type, 'dateTime')

  const env = await story.serve(['serve', '--no-auth'])
  const [posts] = await story.type(
    ["curl -s -H 'Accept: application/json' http://localhost:8080/api/posts"],
    env,
  )
  const [{ '@id': iri, '@type': type, author, place, ...rest } = {}] = membersIn(posts)
  assert.ok(String(iri).endsWith('/posts/p1x9qj2kd0w3m7z'))
  assert.ok(String(author).endsWith('/authors/a5x9qj2kd0w3m7z'))
  assert.equal((place as Record<string, unknown>).city, 'Ulm')
  assert.equal(type, 'Post')
  const created = '2026-03-01T10:00:00.123Z'
  assert.deepEqual(rest, { title: 'Tea', views: 12, draft: true, tags: ['hot', 'green'], created })
})

test('docs/from-api-platform.md works as printed: members keep their ids and links, and old filters go on working', async (t) => {
  const story = openStory(t, 'docs/from-api-platform.md')
  story.write('api.yaml', story.blocks('yaml')[0])
  story.write('db.json', story.blocks('json')[0])
  const [said = ''] = await story.type(story.blocks('sh'))
  assert.match(said, /^2 added, 0 already there, 0 refused/m)
  const env = await story.serve(['serve', '--no-auth'])
  const query =
    'exists[published]=true&published[gte]=1800-01-01&order[title]=asc&author.name=Jane%20Austen&page=1'
  const [books] = await story.type(
    [`curl -sg -H 'Accept: application/json' 'http://localhost:8080/api/books?${query}&itemsPerPage=30'`],
    env,
  )
  const [emma] = membersIn(books)
  assert.equal(emma?.['@id'], 'http://localhost:8080/api/books/1')
  assert.equal(emma?.author, 'http://localhost:8080/api/authors/1')
})
