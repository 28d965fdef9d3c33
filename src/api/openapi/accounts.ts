import type { CollectionClass } from '../../vocabulary/index.ts'
import { PLAIN_JSON } from '../request.ts'
import { MEMBER_ID } from './parameters.ts'
import { content, errors, noContent } from './responses.ts'
import { objectOf, type Schema, TEXT } from './schemas.ts'

const CHANGE = objectOf(['current', 'new'], {
  current: { ...TEXT, description: 'The passphrase of the account.' },
  new: { ...TEXT, description: 'The one that it gets.' },
})

/** What can be done with an account besides reading and changing it (people.md, Accounts). */
export const accountPaths = ({ collection, name }: CollectionClass): Record<string, Schema> => ({
  [`/${collection}/{id}/paraphrase`]: {
    parameters: [MEMBER_ID],
    post: {
      operationId: 'changeOwnParaphrase',
      summary: 'Change the own passphrase; other tokens of the account end',
      tags: [name],
      requestBody: { required: true, content: content(CHANGE, ['application/ld+json', PLAIN_JSON]) },
      responses: { ...noContent('Changed.'), ...errors(400, 404, 415, 422, '4XX', '5XX') },
    },
  },
  [`/${collection}/{id}/tokens`]: {
    parameters: [MEMBER_ID],
    delete: {
      operationId: 'endTokens',
      summary: 'End all tokens of the account',
      tags: [name],
      responses: { ...noContent('Ended.'), ...errors(404, '4XX', '5XX') },
    },
  },
})
