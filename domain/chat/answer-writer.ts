/** What an interface of chat writes of a completion as it is generated. */
import type { HeddleError } from '../../platform/errors/error.js'
import type { GenerateEvent } from '../../proto/heddle/node/v1/messages.js'

/** Writes the events of one completion as server-sent events, in the form of the interface that was asked. */
export interface AnswerWriter {
  /** The text for the node's next event; "" if it has none. */
  lines(event: GenerateEvent): string
  /** The text after the last event. {@link failed} writes a rejection. */
  end(): string | Promise<string>
  /** Keeps the connection of a waiting reader open; default: a comment. */
  quiet?(): string
  /** The text for an error in mid-stream, which ends the stream. */
  failed(error: HeddleError): string | Promise<string>
}
