/**
 * Ops without source code: those named by spans, and those that the service creates so that the calls and objects of an
 * evaluation can refer to an op. The service can't run them, and their text says so.
 *
 * Clients identify a version of such an op, and of a scorer or evaluation that refers to it, by a digest derived from
 * its file's digest. So the files keep the digests that these ops have everywhere, while their text is ours: each is a
 * complete Python module with one op, and nobody looks up the text by its own hash.
 */
import { objectDigest } from './digest.js'

/** A file and the digest it is stored under. */
export interface PlaceholderSource {
  readonly digest: string
  readonly text: string
}

// With brackets behind the decorator: weave 0.52.17 finds no op in a file without.
const source = (digest: string, signature: string, what: string): PlaceholderSource => ({
  digest,
  text: `import weave\n\n\n@weave.op()\ndef ${signature}:\n    """Stands in for ${what}: there is no source of it here."""\n    raise NotImplementedError\n`,
})

/** The file name of every op. */
export const OP_FILE = 'obj.py'

/** Sources by the last part of an op's name; `op` for any other. */
export const PLACEHOLDERS = {
  op: source(
    'RZUe6YW6bibaEmKo0QXy3XAt0yd6hMMo9hj9KXgaXrY',
    'op(*args, **kwargs)',
    'an op of which only the name is known',
  ),
  evaluate: source(
    '5612gvujEXjw3pEQc1PY81OjY2wUPUyztTIIiBueOwA',
    'evaluate(self, model)',
    'the run of an evaluation',
  ),
  predict_and_score: source(
    '7xU6bxJ1gZCpwmU2AISM4Hvt6DtS7oW76SGCfY6mbDo',
    'predict_and_score(self, model, example)',
    'one row of an evaluation',
  ),
  summarize: source(
    '0BYUNIwA3PpXRp2om1SWCYs7i5W5XZuh0WXoTcgjVWM',
    'summarize(self, eval_table)',
    'the summary of an evaluation',
  ),
  predict: source(
    'weh6fuue1oV4nPHxeadzYFblIX0ZHMaXPwTOYiwXxyU',
    'predict(self, inputs)',
    'a prediction of a model',
  ),
  score: source(
    'y3Uoncq0ph2HKYKGAPcQsbX4q7dj53JrjSucxF9IxM4',
    'score(self, output, inputs)',
    'a score of a prediction',
  ),
  summarize_scores: {
    digest: 'PnRwYhYXhqQiFWvDI4o5qR13gwLHMBuK3Plb0gTfkzc',
    text: 'import weave\nfrom weave.flow.scorer import auto_summarize\n\n\n@weave.op()\ndef summarize(self, score_rows):\n    return auto_summarize(score_rows)\n',
  },
} as const satisfies Record<string, PlaceholderSource>

/** The value, as JSON text, of an op whose source is the file `digest`. */
export function opValueText(digest: string): string {
  return JSON.stringify({
    _type: 'CustomWeaveType',
    weave_type: { type: 'Op' },
    files: { [OP_FILE]: digest },
  })
}

/** The value of every span's op object; only their names differ. */
export const SPAN_OP = opValueText(PLACEHOLDERS.op.digest)

/** The digest of that value. */
export const SPAN_OP_DIGEST = objectDigest(Buffer.from(SPAN_OP))
