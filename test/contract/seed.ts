import { held, nothing, type Row } from './table.ts'

const STEP_A =
  'a request without credentials gets status 401, the Basic challenge, a nonce and a body of one member'
const STEP_B = 'a nonce with correct credentials gets status 200, a token and a body of one member'
const TOKEN_ALONE = 'a token alone is sufficient, without nonce and without Authorization header'
const SHARED_HEADERS = 'steps A, B and C carry the documentation link, CORS, length and date headers'
const FORTY_FIVE = 'a token is refused 45:00 after it was issued'

const introduces = (says: string) => nothing(says, 'introduces what follows it')
const leftOpen = (says: string) => nothing(says, 'leaves it open; authentication.md decides')

/** docs/contract/seed.md, sentence by sentence. */
export const SEED: readonly Row[] = [
  held("This document covers the service's two-step authentication", STEP_A, STEP_B, TOKEN_ALONE),
  held(
    'The service is a hypermedia API that serves JSON-LD',
    'the entry point is the same graph as its expanded form',
  ),
  nothing('Only the authentication behaviour is specified here', 'says what the page is about'),
  held(
    'The service is an HTTP API that exposes collections',
    'a collection has whole members, their total, its member assertion, its view and its search',
  ),
  held('It can protect its endpoints with a two-factor procedure', STEP_A, STEP_B),
  held('A client first proves its identity with a server-issued nonce', STEP_B),
  held('The server then issues a time-bound token', STEP_B, TOKEN_ALONE),
  held(
    'Authentication is an optional deployment setting',
    'while authentication is off every request is served, without nonce, token or challenge',
  ),
  introduces('Every response shown carries these headers'),
  held('`Content-type: application/ld+json`', STEP_A, STEP_B),
  held('`Link` with the relation', SHARED_HEADERS),
  held('`Access-Control-Allow-Origin: *`', SHARED_HEADERS),
  held('`Content-Length`', SHARED_HEADERS),
  held('`Date`', SHARED_HEADERS),
  leftOpen('Scope beyond authentication'),
  held(
    'The material shows only a collection endpoint',
    'GET is challenged, exchanged and served at every place',
  ),
  introduces('It shows two credential-related records'),
  held(
    'Authorised user ¦ id',
    'a user id is a whole number from 1 to 9007199254740991 in its plain spelling',
    'a user is added once; a second time changes nothing',
  ),
  held(
    'Authorised user ¦ paraphrase',
    STEP_B,
    'through a pipe the first line is the paraphrase, whatever ends it',
  ),
  held('Nonce ¦ value', 'a nonce is a UUID of version 8 and of the RFC 9562 variant, in lower case', STEP_A),
  held('Token ¦ value', 'a token is 64 lower-case hexadecimal digits, fresh at every exchange', STEP_B),
  leftOpen('Fields of the domain resources in collections'),
  held('The client-side progression is', STEP_A, STEP_B, TOKEN_ALONE),
  introduces('It is described in the rules of section 5'),
  nothing('No named states exist for resources', 'there is nothing to name'),
  leftOpen('Transitions'),
  introduces('The only request shape in the material'),
  held('GET ¦ `{base_url}/<collection_name>`', 'GET is challenged, exchanged and served at every place'),
  held(
    'A vocabulary address exists',
    'the documentation is one nested document at the URL that every response links to',
  ),
  held('It is referenced by the `Link` header', SHARED_HEADERS, 'Every header is on 404'),
  leftOpen('Other endpoints, their paths and payloads'),
  held(
    'Authorised users are added to the API',
    'user add, paraphrase and remove say what they did, for people and for programs',
    'a user is found by id, and by no other',
  ),
  held(
    'Authentication is switched on for all requests',
    'Every method that Node.js knows is challenged, also where it is not possible',
  ),
  held(
    'Token-based authorization is switched on',
    STEP_B,
    'while tokens are off a nonce with correct credentials serves the request itself',
  ),
  introduces('When a request to a protected endpoint carries no valid credentials'),
  held('Status ¦ 401', STEP_A),
  held('`Content-type` ¦ `application/ld+json`', STEP_A),
  held('`WWW-Authenticate` ¦', STEP_A),
  held(
    '`X-Authentication` ¦ `<nonce>` (a newly issued nonce)',
    STEP_A,
    'every challenge carries a newly issued nonce',
  ),
  held('Body ¦ JSON object with one member: key `"401"`', STEP_A),
  introduces('The client repeats the request with both of these headers'),
  held(
    '`X-Authentication` ¦ `<nonce>`, the value received',
    STEP_B,
    'a nonce without credentials is refused',
  ),
  held('`Authorization` ¦ `Basic', STEP_B, 'correct credentials without a nonce are refused'),
  introduces('When the nonce and credentials are accepted'),
  held('Status ¦ 200', STEP_B),
  held('`Content-type` ¦ `application/ld+json`', STEP_B),
  held(
    '`X-Authorization` ¦ `<token>` (a unique',
    STEP_B,
    'a token is 64 lower-case hexadecimal digits, fresh at every exchange',
  ),
  held('Body ¦ JSON object with one member: key `"200"`', STEP_B),
  held(
    'The client sends header `X-Authorization: <token>`',
    'GET is challenged, exchanged and served at every place',
    'PATCH is challenged, exchanged and served at every place, and step B changes nothing',
  ),
  held('The token alone is sufficient', TOKEN_ALONE),
  held('No nonce and no `Authorization` header', TOKEN_ALONE),
  held('The token is valid for 45 minutes', 'a token is served 44:59 after it was issued', FORTY_FIVE),
  held(
    'When authentication is enabled, every request is protected',
    'Every method that Node.js knows is challenged, also where it is not possible',
    'OPTIONS that is no preflight is challenged, exchanged and served at every place',
  ),
  held(
    'A request with neither a valid token',
    'a wrong paraphrase gets the same bytes as no credentials',
    'an unknown token gets the same bytes as no credentials',
  ),
  held(
    'A request with a nonce and correct Basic credentials',
    STEP_B,
    'POST is challenged, exchanged and served at every place, and step B creates nothing',
  ),
  held(
    'A request with a valid, unexpired token',
    TOKEN_ALONE,
    'a live token is served beside wrong credentials and a forged nonce',
  ),
  leftOpen('Response to wrong credentials'),
  leftOpen('Response to an expired or unknown token'),
  leftOpen('Lifetime and single-use behaviour of the nonce'),
  leftOpen('Events, webhooks or notifications'),
  held('401 ¦ Protected endpoint requested', STEP_A),
  held('Error bodies use the status code as the key', 'Every header is on 404', 'Every header is on 422'),
  held('The success body in Step B follows', STEP_B),
  leftOpen('Other error codes and their bodies'),
  held('Token expiry ¦ 45 minutes', 'a token is served until the last millisecond of 45 minutes', FORTY_FIVE),
  leftOpen('Rate limits, size limits and pagination limits'),
  leftOpen('Versioning scheme of the API'),
]
