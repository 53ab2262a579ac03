/** A mail server that keeps what it is sent. */
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  to: string[]
  subject: string
  text: string
  id: string
}

export class MailSink {
  readonly mails: Mail[] = []
  private readonly server: SMTPServer

  private constructor() {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: async (stream, session, done) => {
        const { subject = '', text = '', messageId = '' } = await simpleParser(stream)
        const to = session.envelope.rcptTo.map(({ address }) => address)
        this.mails.push({ to, subject, text, id: messageId })
        done()
      },
    })
  }

  /** Starts one. @returns it, and its address as HEDDLE_SMTP_URL has it */
  static async start(): Promise<{ sink: MailSink; url: string }> {
    const sink = new MailSink()
    const port = await new Promise<number>((resolve) => {
      const listening = sink.server.listen(0, '127.0.0.1', () => {
        const address = listening.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    return { sink, url: `smtp://127.0.0.1:${port}` }
  }

  stop(): Promise<void> {
    return new Promise<void>((resolve) => this.server.close(resolve))
  }
}
