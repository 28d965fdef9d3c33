import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { type CurlOptions, readCurlArguments, readCurlHelp } from '../../../src/cli/curl/curl-arguments.ts'
import { Problem } from '../../../src/problem.ts'

const HELP = `Usage: curl [options...] <url>
     --abstract-unix-socket <path> Connect via abstract Unix domain socket
     --alt-svc <file name> Enable alt-svc with this cache file
 -K, --config <file>      Read config from a file
     --connect-to <HOST1:PORT1:HOST2:PORT2> Connect to host
 -d, --data <data>        HTTP POST data
 -f, --fail               Fail fast with no output on HTTP errors
     --follow             Follow redirects per spec
 -G, --get                Put the post data in the URL and use GET
 -g, --globoff            Disable URL sequences and ranges using {} and []
 -H, --header <header/@file> Pass custom header(s) to server
 -0, --http1.0            Use HTTP 1.0
 -L, --location           Follow redirects
     --location-trusted   Like --location, and send auth to other hosts
 -:, --next               Make next URL use its separate set of options
 -o, --output <file>      Write to file instead of stdout
     --preproxy [protocol://]host[:port] Use this proxy first
 -x, --proxy [protocol://]host[:port] Use this proxy
     --request-target <path> Specify the target for this request
     --resolve <[+]host:port:addr[,addr]...> Resolve the host+port to this address
 -S, --show-error         Show error even when -s is used
 -s, --silent             Silent mode
     --socks5 <host[:port]> SOCKS5 proxy on given host + port
     --unix-socket <path> Connect through this Unix domain socket
     --url <url>          URL to work with
 -u, --user <user:password> Server user and password
`
const BASE = 'http://localhost:8080/api'
const OPTIONS = readCurlHelp(HELP)
const read = (line: string, options: CurlOptions = OPTIONS) =>
  readCurlArguments(line === '' ? [] : line.split(' '), options, BASE)

test('the options of curl and their values are read from its help', () => {
  assert.deepEqual(OPTIONS.byName.get('header'), true)
  assert.deepEqual(OPTIONS.byName.get('http1.0'), false)
  assert.deepEqual(OPTIONS.byName.get('proxy'), true)
  assert.deepEqual(OPTIONS.byLetter.get(':'), 'next')
})

describe('the addresses among the arguments of curl', () => {
  const rows: readonly (readonly [given: string, args: string, urls: number])[] = [
    ['/books', `${BASE}/books`, 1],
    [`${BASE}`, `${BASE}`, 1],
    [`${BASE}/books ${BASE}?page=1`, `${BASE}/books ${BASE}?page=1`, 2],
    ['-s -d /data /books', `-s -d /data ${BASE}/books`, 1],
    ['-d/data /books', `-d/data ${BASE}/books`, 1],
    ['-sSo /out /books -H a:b', `-sSo /out ${BASE}/books -H a:b`, 1],
    ['-so/out /books', `-so/out ${BASE}/books`, 1],
    ['--url /books --data http://other.example/', `--url ${BASE}/books --data http://other.example/`, 1],
    ['--no-fail -- /books', `--no-fail -- ${BASE}/books`, 1],
    ['//other.example/', `${BASE}//other.example/`, 1],
    ['/a..b/..c?path=/../d', `${BASE}/a..b/..c?path=/../d`, 1],
    ['-s', '-s', 0],
    ['', '', 0],
    // curl itself says that the value is missing.
    ['/books -d', `${BASE}/books -d`, 1],
  ]
  for (const [given, args, urls] of rows) {
    it(`are found in ${given}`, () => {
      const call = read(given)
      assert.deepEqual([call.args.join(' '), call.urls], [args, urls])
    })
  }
})

describe('what would send the token elsewhere', () => {
  const rows: readonly (readonly [given: string, code: string])[] = [
    ['http://other.example/', 'OutsideApi'],
    ['http://localhost:8080/apix', 'OutsideApi'],
    ['http://localhost:8080/other', 'OutsideApi'],
    ['http://localhost:8080@other.example/api', 'OutsideApi'],
    ['http://localhost:8080/api@other.example/', 'OutsideApi'],
    ['{http://localhost:8080/api/,http://other.example/}', 'OutsideApi'],
    ['localhost:8080/api/books', 'OutsideApi'],
    // curl, or a server in front of the API, takes the parent.
    ['/../other', 'OutsideApi'],
    ['/books/../..', 'OutsideApi'],
    [`${BASE}/..?x`, 'OutsideApi'],
    ['/%2e%2E/other', 'OutsideApi'],
    ['/.%2e\\other', 'OutsideApi'],
    ['HTTP://localhost:8080/api/books', 'OutsideApi'],
    ['/books http://other.example/', 'OutsideApi'],
    ['--url http://other.example/', 'OutsideApi'],
    ['--url @urls.txt', 'OutsideApi'],
    ['-- -s', 'OutsideApi'],
    ['-L /books', 'RefusedCurlOption'],
    ['-sL /books', 'RefusedCurlOption'],
    ['/books -sSLo out', 'RefusedCurlOption'],
    ['--location /books', 'RefusedCurlOption'],
    ['--location-trusted /books', 'RefusedCurlOption'],
    ['--follow /books', 'RefusedCurlOption'],
    ['/books --next http://other.example/', 'RefusedCurlOption'],
    ['/books -: http://other.example/', 'RefusedCurlOption'],
    ['-K curl.conf', 'RefusedCurlOption'],
    ['-sKcurl.conf', 'RefusedCurlOption'],
    ['--config curl.conf', 'RefusedCurlOption'],
    ['-u 1:secret /books', 'RefusedCurlOption'],
    ['--user 1 /books', 'RefusedCurlOption'],
    ['--proxy http://other.example/ /books', 'RefusedCurlOption'],
    ['-xhttp://other.example/ /books', 'RefusedCurlOption'],
    ['-x --output http://other.example/', 'RefusedCurlOption'],
    ['--preproxy other.example /books', 'RefusedCurlOption'],
    ['--socks5 other.example /books', 'RefusedCurlOption'],
    ['--connect-to ::other.example: /books', 'RefusedCurlOption'],
    ['--resolve localhost:8080:192.0.2.1 /books', 'RefusedCurlOption'],
    ['--unix-socket other.sock /books', 'RefusedCurlOption'],
    ['--abstract-unix-socket other /books', 'RefusedCurlOption'],
    ['--request-target /other /books', 'RefusedCurlOption'],
    ['--no-globoff /{books,..}', 'RefusedCurlOption'],
    // curl may know the beginning of an option, and other options than those in its help.
    ['--locat /books', 'UnknownCurlOption'],
    ['--loc /books', 'UnknownCurlOption'],
    ['--expand-url {{x}}', 'UnknownCurlOption'],
    ['--paraphrase-file me.txt /books', 'UnknownCurlOption'],
    ['-sy /books', 'UnknownCurlOption'],
    ['-', 'UnknownCurlOption'],
  ]
  for (const [given, code] of rows) {
    it(`is refused: ${given}`, () => {
      assert.throws(
        () => read(given),
        (error) => error instanceof Problem && error.code === code,
      )
    })
  }

  it('is refused without the help of curl, of which no option is known then', () => {
    assert.throws(() => read('-s /books', readCurlHelp('')), Problem)
  })
})
