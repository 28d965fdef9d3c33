/** What `hydrant init` writes: a file that can be served as it is, and shows what else there is. */
export const INIT_FILE = `# An API file: what is in it is served. See what is wrong with it:  hydrant check api.yaml
#
# Each class becomes a collection (/authors, /books) with members (/authors/{id}, /books/{id}); each property becomes a
# key of those members, checked when it is written and documented at /vocab.

title: My library
description: Books and the people who write them

classes:
  Author:
    # collection: authors       the path; without it the plural of the class in lower case
    properties:
      # A property is a type, or a map with a type:
      # string, boolean, integer, nonNegativeInteger, positiveInteger, decimal, double, float, date, dateTime, time,
      # duration, anyURI, langString (texts by language), or the name of a class.
      name: { type: string, required: true, maxLength: 200 }
      born: date
      address: Address # Address has no collection: it is a value within the author

  Book:
    # iri: http://schema.org/Book   a term of a public vocabulary instead of one of our own
    properties:
      title: { type: string, required: true }
      isbn: { type: string, pattern: "^[0-9X-]+$", unique: true } # no two books have the same one
      format: { type: string, enum: [hardback, paperback, audio], default: paperback }
      pages: { type: integer, minimum: 1 }
      price: decimal # exact: what is sent as 12.50 is returned as "12.50"
      genres: { type: string, many: true } # a list
      author: { type: Author, required: true } # a link: the address of an author
      createdAt: { type: dateTime, writable: false, default: now } # set by the server
      notes: { type: string, filterable: false } # no index and no filter
    # operations: [list, read]      without it all: list, create, read, update, replace, delete

  Address:
    collection: false
    properties:
      street: string
      town: { type: string, required: true }

  # A class without a collection that has operations is one resource, here at /Settings:
  # Settings:
  #   collection: false
  #   operations: [read, create, replace, update]
  #   properties:
  #     openingHours: langString

# When you rename a class or a property later, say what it was: { type: string, was: oldName }.
`
