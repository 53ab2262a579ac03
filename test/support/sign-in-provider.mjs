/**
 * A provider of OpenID Connect for tests, a process of its own: oidc-provider, with a form that believes every name.
 * Prints its address. `PUT /test` changes what it does, by JSON:
 * `host` (its name in its addresses), `clients` (its clients, as oidc-provider has them), `accounts` ({name: claims}; a name that is not in it can't sign in), `lie` (how its next ID token is wrong: signature,
 * key, issuer, audience, nonce), `skew` (seconds that its clock is ahead), `keys` ("new": signs by another key),
 * `refuse` (true: refuses refresh tokens), `down` (true: answers 503), `inIdToken` (true: ID tokens have all claims).
 * `GET /test` counts what it was asked.
 */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

const state = {
  host: '127.0.0.1',
  clients: [],
  accounts: {},
  lie: '',
  skew: 0,
  refuse: false,
  down: false,
  inIdToken: false,
}
const asked = {}
// It remarks on this and that, and nobody reads on after the address.
console.info = console.warn = () => undefined
const clock = Date.now
Date.now = () => clock() + state.skew * 1000

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: `k${Math.trunc(clock())}` }
}
let key = await newKey()
const other = await newKey()

/** An ID token that is wrong in one way. */
async function lieIn(token) {
  const { lie } = state
  state.lie = ''
  const [head, body, signature] = token.split('.')
  if (lie === 'signature') return `${head}.${body}.${signature.split('').reverse().join('')}`
  const header = JSON.parse(Buffer.from(head, 'base64url'))
  const claims = JSON.parse(Buffer.from(body, 'base64url'))
  if (lie === 'none') return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
  if (lie === 'hmac') {
    const said = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${body}`
    return `${said}.${createHmac('sha256', 'secret of the client').update(said).digest('base64url')}`
  }
  if (lie === 'issuer') claims.iss = 'http://127.0.0.1:1'
  if (lie === 'audience') claims.aud = 'another'
  if (lie === 'nonce') claims.nonce = 'another'
  if (lie === 'late') Object.assign(claims, { iat: claims.iat - 7200, exp: claims.exp - 7200 })
  return new SignJWT(claims)
    .setProtectedHeader(header)
    .sign(await importJWK(lie === 'key' ? other : key, 'RS256'))
}

let provider
let issuer

function start() {
  issuer = `http://${state.host}:${server.address().port}`
  provider = new Provider(issuer, {
    clients: state.clients,
    jwks: { keys: [key] },
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'offline_access', 'email', 'profile', 'groups'],
    findAccount: (_, id) =>
      state.accounts[id] && { accountId: id, claims: () => ({ sub: id, ...state.accounts[id] }) },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // Nobody is asked what the client may read.
    loadExistingGrant: async (ctx) => {
      const { client, session, params } = ctx.oidc
      const id = session.grantIdFor(client.clientId)
      const grant = id
        ? await provider.Grant.find(id)
        : new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope(params.scope)
      await grant.save()
      return grant
    },
    conformIdTokenClaims: !state.inIdToken,
  })
  provider.use(async (ctx, next) => {
    asked[ctx.path] = (asked[ctx.path] ?? 0) + 1
    await next()
    if (state.lie !== '' && ctx.body?.id_token)
      ctx.body = { ...ctx.body, id_token: await lieIn(ctx.body.id_token) }
  })
}

const bodyOf = async (request) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function handle(request, response) {
  if (request.url === '/test') {
    if (request.method === 'PUT') {
      const { keys, ...change } = JSON.parse(await bodyOf(request))
      Object.assign(state, change)
      if (keys === 'new') key = await newKey()
      if (keys ?? change.clients ?? change.host ?? change.inIdToken) start()
    }
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(asked))
  }
  if (state.down) return response.writeHead(503).end()
  if (state.refuse && request.url === '/token') {
    const body = await bodyOf(request)
    if (body.includes('grant_type=refresh_token'))
      return response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: 'invalid_grant' }))
    request.body = body
  }
  if (!request.url.startsWith('/interaction/')) return provider.callback()(request, response)
  const details = await provider.interactionDetails(request, response)
  if (request.method === 'POST') {
    const accountId = new URLSearchParams(await bodyOf(request)).get('login')
    const result = state.accounts[accountId]
      ? { login: { accountId } }
      : { error: 'access_denied', error_description: 'nobody by that name' }
    return provider.interactionFinished(request, response, result)
  }
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(
      `<!doctype html><title>Provider</title><h1>Provider</h1><form method="post" action="/interaction/${details.uid}">` +
        '<label>Name <input name="login"></label> <button>Go on</button></form>',
    )
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(error)
    response.writeHead(500).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  start()
  console.log(issuer)
})
