/**
 * What stands as source of ops that exist only so that calls and objects have something to point at: the service can't
 * run them, and says so in them. Each is a whole Python module with one function.
 */

const note = (what: string) =>
  `    """Stands in for ${what}: this op was made through the service's HTTP interface."""\n    raise NotImplementedError\n`

const source = (signature: string, what: string) =>
  `import weave\n\n\n@weave.op\ndef ${signature}:\n${note(what)}`

/** Sources by the last part of an op's name. */
export const SOURCES = {
  op: 'def op(*args, **kwargs):\n    ...  # no source was given\n',
  evaluate: source('evaluate(self, model)', 'the run of an evaluation'),
  predict_and_score: source('predict_and_score(self, model, example)', 'one row of an evaluation'),
  summarize: source('summarize(self, eval_table)', 'the summary of an evaluation'),
  summarize_scores:
    'import weave\nfrom weave.flow.scorer import auto_summarize\n\n\n@weave.op\ndef summarize(self, score_rows):\n    return auto_summarize(score_rows)\n',
  predict: source('predict(self, inputs)', 'a prediction of a model'),
  score: source('score(self, output, inputs)', 'a score of a prediction'),
} as const
