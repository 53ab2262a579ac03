/** Texts that are written between values. The host has them by the names of these globals: see `walker/tables.ts`. */
import { LITERALS } from './layout'
import { copy } from './output'

export const partName: i32 = 0
export const eventTime: i32 = 1
export const partAttributes: i32 = 2
export const events: i32 = 3
export const links: i32 = 4
export const droppedAttributes: i32 = 5
export const droppedEvents: i32 = 6
export const droppedLinks: i32 = 7
export const flags: i32 = 8
export const linkTrace: i32 = 9
export const linkSpan: i32 = 10
export const linkState: i32 = 11
export const usage: i32 = 12
export const namelessUsage: i32 = 13
export const redacted: i32 = 14
export const namelessError: i32 = 15
export const empty: i32 = 16

export function fromOf(literal: i32): usize {
  return load<u32>(LITERALS + literal * 8)
}

export function toOf(literal: i32): usize {
  return load<u32>(LITERALS + literal * 8, 4)
}

/** Appends a literal. */
export function write(literal: i32): void {
  copy(fromOf(literal), toOf(literal))
}
