/** Sends mail by the operator's server, if there is one. */
import { createTransport, type Transporter } from 'nodemailer'
import { errors } from '../../platform/errors/catalog.js'
import { type Notice, titleOf } from './notice.js'

export interface MailOptions {
  /** smtp://user:password@host:port, or smtps:// */
  url: string
  /** who mails are from */
  from: string
}

const PATIENCE_MS = 15_000

export class Mailer {
  private readonly transport: Transporter | undefined

  /** @param options undefined: nothing is sent */
  constructor(private readonly options: MailOptions | undefined) {
    const times = {
      ...{ connectionTimeout: PATIENCE_MS, greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS },
    }
    this.transport = options && createTransport({ url: options.url, ...times })
  }

  /** Whether anything is sent from here. */
  get isThere(): boolean {
    return this.transport !== undefined
  }

  /** @throws 400 if nothing is sent from here */
  check(): void {
    if (this.transport === undefined)
      throw errors.badRequest(
        'This server sends no mail; an operator sets HEDDLE_SMTP_URL and HEDDLE_SMTP_FROM.',
      )
  }

  /** Check first. @throws what the server refused */
  async send(to: readonly string[], notice: Notice): Promise<void> {
    const { id, text, url } = notice
    await this.transport!.sendMail({
      ...{ from: this.options!.from, to: [...to], subject: titleOf(notice) },
      text: url === '' ? text : `${text}\n\n${url}\n`,
      // Mail programs show a repetition once.
      messageId: `<${id}@heddle>`,
    })
  }

  close(): void {
    this.transport?.close()
  }
}
