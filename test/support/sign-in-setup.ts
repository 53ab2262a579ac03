/** A server that people sign in to by a provider and by mail, with both, for tests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MailSink } from './mail-sink.js'
import { freePorts } from './ports.js'
import { Server } from './server.js'
import { Stub } from './stub.js'

export const CLIENT_SECRET = 'secret of the client'

/** What HEDDLE_SIGN_IN says, but for what the provider is. */
interface Wanted {
  /** providers of the file: all are the one of the test, unless they name an issuer */
  providers: ({ name: string } & Record<string, unknown>)[]
  [other: string]: unknown
}

export class SignInSetup {
  private readonly accounts: Record<string, object> = {}

  private constructor(
    readonly provider: Stub,
    readonly mailSink: MailSink,
    public server: Server,
    private readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  /** @param host of the provider: `localhost` is another site than the server's, for a browser */
  static async start(wanted: Wanted, host = '127.0.0.1'): Promise<SignInSetup> {
    const provider = await Stub.start('sign-in-provider')
    const { sink, url } = await MailSink.start()
    const ports = (await freePorts(2)) as [number, number]
    const base = `http://127.0.0.1:${ports[0]}`
    const issuer = provider.url.replace('127.0.0.1', host)
    const clients = wanted.providers.map(({ name }) => ({
      ...{ client_id: name, client_secret: CLIENT_SECRET, response_types: ['code'] },
      redirect_uris: [`${base}/sign-in/callback/${name}`],
      post_logout_redirect_uris: [`${base}/signin`],
      backchannel_logout_uri: `${base}/sign-in/logout/${name}`,
      backchannel_logout_session_required: true,
      grant_types: ['authorization_code', 'refresh_token'],
    }))
    const folder = mkdtempSync(join(tmpdir(), 'heddle-sign-in-'))
    const file = join(folder, 'sign-in.json')
    const providers = wanted.providers.map((one) => ({
      ...{ title: one.name, client_id: one.name, client_secret_env: 'TEST_CLIENT_SECRET', issuer },
      ...one,
    }))
    writeFileSync(file, JSON.stringify({ ...wanted, providers }))
    await change(provider, { host, clients })
    const env = {
      HEDDLE_SIGN_IN: file,
      TEST_CLIENT_SECRET: CLIENT_SECRET,
      HEDDLE_PUBLIC_URL: base,
      HEDDLE_SMTP_URL: url,
      HEDDLE_SECRETS_KEY: 'a key that only tests have',
    }
    return new SignInSetup(provider, sink, await Server.start({ ports, env }), folder, env)
  }

  /** Starts the server again, without these providers in its file. @param isWithout without a file */
  async restartWithout(names: readonly string[], isWithout = false): Promise<Server> {
    const { HEDDLE_SIGN_IN: file = '', ...others } = this.env
    const settings = JSON.parse(readFileSync(file, 'utf8')) as Wanted
    const providers = settings.providers.filter(({ name }) => !names.includes(name))
    writeFileSync(file, JSON.stringify({ ...settings, providers }))
    const { dataDir, ports } = this.server
    await this.server.stop()
    this.server = await Server.start({ dataDir, ports, env: isWithout ? others : this.env })
    return this.server
  }

  /** Changes what the provider does; see sign-in-provider.mjs. */
  async change(what: object): Promise<void> {
    await change(this.provider, what)
  }

  /** Makes, changes or removes an account at the provider. */
  async account(name: string, claims: object | undefined): Promise<void> {
    if (claims === undefined) delete this.accounts[name]
    else this.accounts[name] = claims
    await this.change({ accounts: this.accounts })
  }

  /** The secret of the link in the newest mail to an address; undefined: there is none. */
  linkTo(email: string): string | undefined {
    const newest = this.mailSink.mails.findLast(({ to }) => to.includes(email))
    return newest && /\/signin#link=(\w+)/.exec(newest.text)?.[1]
  }

  async dispose(): Promise<void> {
    await this.server.dispose()
    await this.provider.stop()
    await this.mailSink.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function change({ url }: Stub, what: object): Promise<void> {
  await fetch(`${url}/test`, { method: 'PUT', body: JSON.stringify(what) })
}
