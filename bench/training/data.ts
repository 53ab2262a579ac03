/** What the bench trains on: made conversations and trajectory groups. */
const WORDS =
  'the warp and weft of a cloth cross over under each other as a shuttle goes from side to side'.split(' ')

function text(seed: number, words: number): string {
  return Array.from(
    { length: words },
    (_, i) => WORDS[(seed * 7 + i * (1 + (seed % 5))) % WORDS.length],
  ).join(' ')
}

export function conversation(i: number) {
  return {
    messages: [
      { role: 'user', content: text(i, 12) },
      { role: 'assistant', content: text(i + 1, 40) },
    ],
  }
}

const NOTE = text(1, 4000)

/** A group with as much beside its trajectories as callers may send: about 20 kB. */
export function largeGroup(i: number) {
  return { ...group(i), metadata: { note: NOTE } }
}

/** Four trajectories with rewards that differ; their log-probabilities are computed when they are trained on. */
export function group(i: number) {
  const trajectories = Array.from({ length: 4 }, (_, k) => ({
    messages_and_choices: [
      { role: 'user', content: text(i, 12) },
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: text(i + k, 30) },
        logprobs: null,
      },
    ],
    reward: k / 3,
    metrics: {},
    metadata: {},
  }))
  return { trajectories, exceptions: [], metadata: {} }
}
