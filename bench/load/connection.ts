/**
 * One kept-alive HTTP/1.1 connection that sends a prepared head and body and reads the answer's status: what an
 * HTTP client does without what it costs. Answers must carry Content-Length.
 */
import { connect, type Socket } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')

export interface Answer {
  status: number
  /** Bytes of the answer's body. */
  length: number
  /** Whole seconds of Retry-After; 0 if absent. */
  retryAfter: number
}

export class Connection {
  private readonly socket: Socket
  private pending: Buffer = Buffer.alloc(0)
  private waiting: { done: (answer: Answer) => void; failed: (error: Error) => void } | undefined

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.on('data', (chunk) => this.take(chunk))
    this.socket.on('error', (error) => this.fail(error))
    this.socket.on('close', () => this.fail(new Error('the connection was closed')))
  }

  /** Sends one request; the one before must have been answered. */
  send(head: Buffer, body: Buffer): Promise<Answer> {
    return new Promise((done, failed) => {
      this.waiting = { done, failed }
      if (this.socket.destroyed) return this.fail(new Error('the connection was closed'))
      this.socket.cork()
      this.socket.write(head)
      this.socket.write(body)
      this.socket.uncork()
    })
  }

  close(): void {
    this.socket.destroy()
  }

  private take(chunk: Buffer): void {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    const end = this.pending.indexOf(HEAD_END)
    if (end === -1) return
    const head = this.pending.toString('latin1', 0, end)
    const length = Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0)
    if (this.pending.length < end + 4 + length) return
    this.pending = this.pending.subarray(end + 4 + length)
    const waiting = this.waiting
    this.waiting = undefined
    const retryAfter = Number(/^retry-after:\s*(\d+)/im.exec(head)?.[1] ?? 0)
    waiting?.done({ status: Number(head.slice(9, 12)), length, retryAfter })
  }

  private fail(error: Error): void {
    const waiting = this.waiting
    this.waiting = undefined
    waiting?.failed(error)
  }
}

/** The head of a POST with these headers and a body of `length` bytes. */
export function postHead(path: string, length: number, headers: Record<string, string>): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', ...headers, 'content-length': String(length) })
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`,
  )
}
