/**
 * Ops of spans. A span has only a name, but a call points at an op object, so each name in a project gets an object
 * that stands in for its source. All of them have the same value, hence one digest. Stores nothing.
 */
import { fileDigest, objectDigest } from '../../common/digest/digest.js'

/** The file `obj.py` of every placeholder, to be stored once a project. */
export const PLACEHOLDER_SOURCE = Buffer.from(
  '# This op was made from OpenTelemetry spans: its source is not known here.\n\n\ndef op():\n    ...\n',
)

/** The digest of that file. */
export const PLACEHOLDER_FILE_DIGEST = fileDigest(PLACEHOLDER_SOURCE)

/** The value of every placeholder op object, as JSON text. */
export const PLACEHOLDER_OP = JSON.stringify({
  _type: 'CustomWeaveType',
  weave_type: { type: 'Op' },
  files: { 'obj.py': PLACEHOLDER_FILE_DIGEST },
})

/** The digest of that object. */
export const PLACEHOLDER_DIGEST = objectDigest(Buffer.from(PLACEHOLDER_OP))
