/** For tests alone: a request as a script answers it, in a call of its own or in one with others. */
import { EventEmitter } from 'node:events'
import { type ServerDuplexStream, type ServiceError, status } from '@grpc/grpc-js'
import * as messages from '../messages.js'

type Event = Partial<messages.GenerateEvent>

/** What a script is given: the server's side of a call, or what does as it does. */
export interface ScriptedCall extends EventEmitter {
  readonly request: messages.GenerateRequest
  cancelled: boolean
  /** @returns false: wait for `drain` */
  write(event: Event): boolean
  end(): void
}

/** One of many requests in a call. */
class Answer extends EventEmitter implements ScriptedCall {
  cancelled = false
  private held = false

  constructor(
    readonly request: messages.GenerateRequest,
    private readonly send: (event: Event) => boolean,
  ) {
    super()
    this.on('error', (error: Partial<ServiceError>) => this.refuse(error))
  }

  write(event: Event): boolean {
    return this.cancelled || (this.send(event) && !this.held)
  }

  end(): void {
    this.emit('finish')
  }

  cancel(): void {
    if (this.cancelled) return
    this.cancelled = true
    this.emit('cancelled')
  }

  hold(held: boolean): void {
    this.held = held
    this.drained()
  }

  drained(): void {
    if (!this.held) this.emit('drain')
  }

  private refuse({ code = status.INTERNAL, details = '', metadata }: Partial<ServiceError>): void {
    const said = (name: string) => metadata?.get(name)[0]?.toString() ?? ''
    const error = { code: said('heddle-code'), status: code, message: details, retriable: false }
    this.write({ error: { ...error, field: said('heddle-field') } })
  }
}

/** Answers every request of the call by `answer`. */
export function answerTogether(
  call: ServerDuplexStream<messages.TogetherRequest, messages.TogetherEvents>,
  answer: (one: ScriptedCall) => void,
): void {
  const answers = new Map<number, Answer>()
  call.on('data', ({ begin = [], cancel = [], hold = [], resume = [] }: messages.TogetherRequest) => {
    for (const { number, request } of begin) {
      const one = new Answer(messages.generateRequest.decode(request), (event) => {
        // After the end of the call nobody is there to be told.
        if (call.cancelled) return true
        return call.write({ events: [{ number, event: messages.generateEvent.encode(event) }] })
      })
      answers.set(number, one)
      one.on('finish', () => answers.delete(number))
      answer(one)
    }
    for (const number of cancel) answers.get(number)?.cancel()
    for (const number of hold) answers.get(number)?.hold(true)
    for (const number of resume) answers.get(number)?.hold(false)
  })
  call.on('drain', () => {
    for (const one of answers.values()) one.drained()
  })
  const gone = () => {
    for (const one of answers.values()) one.cancel()
    answers.clear()
  }
  call.on('cancelled', gone)
  call.on('end', () => {
    gone()
    call.end()
  })
}
