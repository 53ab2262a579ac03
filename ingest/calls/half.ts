/** One call object of a request (mostly one half of a call), as offsets into its body: nothing of it is built. */
import { mayHoldCredential } from '../../domain/calls/redact.js'
import type { HalfKind } from '../../domain/calls/schema.js'
import { eachField } from '../../platform/json/fields.js'
import { Notes, scanValue } from '../../platform/json/scan.js'
import { unescapedAt } from '../../platform/json/text.js'
import { BY_ALIAS, NO_SLOT, SLOT_COUNT, type Slot, slotOf } from './slots.js'

/** What the stored form of a value has to change. */
export const SPACES = 1
export const LONE_SURROGATES = 2
export const CREDENTIALS = 4
/** For a string: it has escapes. */
export const ESCAPES = 8

const NOTHING = new Uint8Array(0)

const notes = new Notes(mayHoldCredential)

/** Where in its cells a half keeps, by slot, where values start, where they end, and what they need. */
const TO = SLOT_COUNT
const FLAGS = SLOT_COUNT * 2
/** Cells that a half needs. */
export const CELLS = SLOT_COUNT * 3
export const NUMBERS = SLOT_COUNT

/** One call object, its values by slot. */
export class Half {
  buf: Uint8Array = NOTHING
  private aliased = 0

  // What a check found out; only good after it.
  kind: HalfKind = 'start'
  request = 0
  project = ''
  id = ''
  /** Made by the server, or empty: the one in the body. */
  madeTraceId = ''
  descendantErrors = 0
  /** What the summary says of the time to the first token, in µs; 0: nothing. */
  firstToken = 0
  /** `summary` has a key that is derived at read time. */
  summaryHasWeave = false

  /**
   * @param cells has room for {@link CELLS} from `base` on, which are this half's alone
   * @param numbers likewise for {@link NUMBERS} from `firstNumber` on
   */
  constructor(
    private readonly cells: Int32Array,
    private readonly base: number,
    private readonly numbers: Float64Array,
    private readonly firstNumber: number,
  ) {}

  /** Where a slot's value starts; -1 if the field is missing. */
  from(slot: number): number {
    return this.cells[this.base + slot]!
  }

  /** The offset after a slot's value. */
  to(slot: number): number {
    return this.cells[this.base + TO + slot]!
  }

  /** What a slot's value needs: SPACES and the like. */
  flags(slot: number): number {
    return this.cells[this.base + FLAGS + slot]!
  }

  /** What a slot's time (µs since the epoch) or integer is; good after a check found that, if the slot is set. */
  number(slot: number): number {
    return this.numbers[this.firstNumber + slot]!
  }

  takeNumber(slot: number, value: number): void {
    this.numbers[this.firstNumber + slot] = value
  }

  /** Lets go of the body. */
  forget(): void {
    this.buf = NOTHING
  }

  /** Reads the object that opens at `at`; returns the offset after it. `depth`: containers around it. */
  read(buf: Uint8Array, at: number, depth: number): number {
    this.buf = buf
    this.cells.fill(-1, this.base, this.base + TO)
    this.aliased = 0
    this.madeTraceId = ''
    this.descendantErrors = 0
    this.firstToken = 0
    this.summaryHasWeave = false
    return eachField(buf, at, notes, (keyFrom, keyTo, escaped, from) => {
      const found = slotOf(buf, keyFrom, keyTo, escaped)
      notes.clear()
      const to = scanValue(buf, from, notes, depth + 1)
      if (found !== NO_SLOT) this.take(found, from, to)
      return to
    })
  }

  /** Of two equal keys the last wins, and a field's own name over its alias. */
  private take(found: number, from: number, to: number): void {
    const slot = found % BY_ALIAS
    const bit = 1 << slot
    if (found >= BY_ALIAS) {
      if (this.from(slot) >= 0 && (this.aliased & bit) === 0) return
      this.aliased |= bit
    } else this.aliased &= ~bit
    const { cells, base } = this
    cells[base + slot] = from
    cells[base + TO + slot] = to
    cells[base + FLAGS + slot] =
      (notes.spaces ? SPACES : 0) |
      (notes.loneSurrogates ? LONE_SURROGATES : 0) |
      (notes.watched ? CREDENTIALS : 0) |
      (notes.escapes ? ESCAPES : 0)
  }

  /** First byte of a slot's value; 0 if the field is missing. */
  first(slot: Slot): number {
    const from = this.from(slot)
    return from < 0 ? 0 : this.buf[from]!
  }

  /** True if the field is missing or null. */
  unset(slot: Slot): boolean {
    const from = this.from(slot)
    return from < 0 || this.buf[from] === 0x6e
  }

  /** What a slot's string says, as UTF-8 can hold it. Only for a slot that has one. */
  text(slot: Slot): string {
    const text = unescapedAt(this.buf, this.from(slot) + 1, this.to(slot) - 1)
    return this.flags(slot) & LONE_SURROGATES ? Buffer.from(text).toString() : text
  }
}
