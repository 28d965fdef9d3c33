import { held, nothing, type Row } from './table.ts'

/** docs/contract/hypermedia.md up to "Resources", sentence by sentence. */
export const API_FILE: readonly Row[] = [
  held(
    'One API file in, a complete API out.',
    'the API file that the contract shows is served, and each line of it does what it says',
    'the API file of the README is served as its second part says: add a user, serve',
  ),
  held(
    'What is served must be right twice',
    'the entry point is the same graph as its expanded form',
    'a collection is the same graph as its expanded form',
    'a value of each datatype is a literal of that datatype, and a link is an IRI',
    'any name works for a property: it survives as plain JSON and as RDF, alone, embedded and in a collection',
    'jsonld reads the same quads as ever from each kind of response',
  ),
  nothing('Both kinds of client are real programs', 'says where the demands come from'),
  held(
    '`examples/` beside this file holds one response of each kind',
    'what is served has the shape and the meaning of the examples of the contract',
  ),
  nothing('They show the shapes and the contexts', 'says what the examples leave out'),

  held('**Short form**', 'the short form in .yaml, .yml and .json and the long form in .jsonld are served'),
  held(
    '```yaml title: Library',
    'the API file that the contract shows is served, and each line of it does what it says',
    'a class whose collection is not named has the plural of its name in lower case',
    'defaults fill in what was not sent, and now is the time of the creation',
    'a property that has no index is 400 that says why',
    'every constraint holds for POST, PUT and PATCH',
  ),
  held(
    'A class without a collection is an embedded value',
    'embedded values, single and many, are stored and served as nested objects',
    'an embedded value is a nested object in JSON and a blank node in RDF, however deep',
    'the entry point has one key for each single resource, which is in no collection',
    'a single resource is created, read, changed and removed at the name of its class',
    'what cannot be served is an error with its place, before anything listens',
  ),
  held(
    '**Long form**',
    'the short form in .yaml, .yml and .json and the long form in .jsonld are served',
    'check reads a Hydra ApiDocumentation too',
    'The documentation of everything that the short form can say is read back as the same model',
  ),
  held(
    'It is expanded with a JSON-LD processor',
    'A round on every class of API Platform, with the prefix hydra:',
    'A round on every class of API Platform, without a prefix',
    'A round on every class of a flat @graph',
    'A round on every class of the issue tracker of the Hydra specification',
  ),
  held(
    'The older vocabulary is understood as far as',
    // Its document says `manages` and `writeable`, adds by PUT on the collection, and names the collection classes.
    'A round on every class of an older Python server: PUT adds a member, POST replaces it',
    'documents of others create by PUT on the collection and replace by POST on the member',
    'Methods of others survive',
  ),
  held(
    'What a document lacks is completed',
    'what a document lacks is completed, check says what was, and it is served complete',
    'check says that a file can be served, and what was completed in it by itself',
    'A document that lacks nothing has no notes',
  ),
  held(
    'What cannot be served',
    'what cannot be served is an error with its place, before anything listens',
    'a broken API file stops the start with every problem and its place, and nothing is served instead',
    'All problems of a document are reported at once',
  ),
  held(
    'No context is ever fetched from the network',
    'no context that an API file names is fetched: the known ones are there, any other is refused',
    'a context of another server is refused wherever it is named, and never fetched',
    'a well-known context is there without being fetched',
  ),
  held(
    'Datatypes: string, boolean, integer',
    'a value of every datatype is stored and read back, alone, as one of many, and after PUT and PATCH',
    'a value of each datatype is a literal of that datatype, and a link is an IRI',
    'a property that has no index is 400 that says why',
    'the search template has one mapping for every filter, order and paging variable',
  ),
  held(
    'Decimals are returned as JSON strings',
    'decimals come back with the digits that were sent, as a string or as a number',
  ),
  held(
    'A JSON number that would lose digits',
    'a number that would lose digits is 422 in every write, wherever it stands',
    'a value of another type is 400 that names the parameter, the value and what would be right',
  ),
  held(
    '**Changing the API file** over data that exists',
    'what is added to an API file is there for the members that exist, its indexes included',
    'another API file serves the members that exist in its own shape and loses nothing',
    'a class that is removed from the API file is hidden, and comes back with all that it had',
    'what is hidden survives PUT and PATCH under an API file that does not know it',
    'whatever API files follow each other, nothing is mixed and nothing lost, and every link holds',
    'a link that is hidden, with its class or alone, keeps its target: 409 says that it is hidden, and what to do',
    'a name that members have values of cannot be that of a renamed property: the start is refused',
    'a class that was called otherwise keeps its members, their links and their versions',
    'a single resource is still there after its class was renamed',
    'a new required property applies at the next write',
    'a changed type that members violate stops the start, names ten of them and changes nothing',
    'a new unique that members violate stops the start, names ten of them and changes nothing',
    'incompatible members stop the start: 1, and ten of them are named',
  ),
]
