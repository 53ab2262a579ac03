import { describe, expect, it } from 'vitest'
import { canonicalType, checkKind, type Given } from './kinds.js'

const project_id = 'acme/one'
const call = 'weave:///acme/one/call/c1'
const spec = 'weave:///acme/one/object/quality:d1'
const op = 'weave:///acme/one/op/judge:d1'
const turn = 'weave:///acme/one/agent_turn/t1'
const talk = 'weave:///acme/one/agent_conversation/a%2Fb'
const check = (given: Partial<Given> & { feedback_type: string }, payload: string) =>
  checkKind({ project_id, weave_ref: call, ...given }, JSON.parse(payload))
type Case = Partial<Given> & { feedback_type: string }
const empty = { scorer_tags: [], scorer_ratings: {}, span_agent_name: '', span_status_code: 'UNSET' }

describe('what is accepted', () => {
  it.each<[Case, string]>([
    [{ feedback_type: 'wandb.note.1', ...empty }, '{"note":"good","more":1.0}'],
    [{ feedback_type: 'wandb.reaction.1' }, '{"emoji":"👍🏽","alias":"mine"}'],
    [{ feedback_type: 'wandb.annotation.quality', annotation_ref: spec }, '{"value":1.0}'],
    [{ feedback_type: 'wandb.runnable.judge', runnable_ref: op, call_ref: call }, '{"output":{}}'],
    [{ feedback_type: 'platform.runnable.quality', runnable_ref: spec }, '{"output":2}'],
    [
      {
        feedback_type: 'wandb.agent_monitor',
        runnable_ref: op,
        call_ref: call,
        trigger_ref: spec,
        scorer_tags: ['t'],
      },
      '{"x":1}',
    ],
    [{ feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['t'], weave_ref: turn }, '{}'],
    [
      {
        feedback_type: 'wandb.agent_user_feedback',
        scorer_tags: ['t'],
        weave_ref: talk,
        span_conversation_id: 'a/b',
      },
      '{}',
    ],
    [{ feedback_type: 'my.own' }, '{"big":1}'],
    [{ feedback_type: 'wandb.other', annotation_ref: '', call_ref: null }, '{}'],
    [{ feedback_type: 'my.own', weave_ref: 'weave:///other/two/new_kind/x' }, '{}'],
  ])('%j', (given, payload) => expect(check(given, payload).subject).toBeDefined())

  it('adds the names of an emoji', () => {
    expect(check({ feedback_type: 'wandb.reaction.1' }, '{"emoji":"👍🏽"}').added).toEqual({
      alias: ':thumbs_up_medium_skin_tone:',
      detoned: '👍',
      detoned_alias: ':thumbs_up:',
    })
  })

  it('asks for the spec of an annotation', () => {
    const { spec: asked } = check(
      { feedback_type: 'wandb.annotation.quality', annotation_ref: spec },
      '{"value":1}',
    )
    expect(asked).toMatchObject({ kind: 'object', name: 'quality', digest: 'd1' })
  })

  it.each([
    [call, 'c1'],
    ['weave:///acme/one/call/with%20space', 'with space'],
    ['weave:///acme/one/call/c1/attr/output', ''],
    ['weave:///other/two/call/c1', ''],
    [spec, ''],
    [turn, ''],
  ])('%s is about the call %j', (weave_ref, id) => {
    expect(check({ feedback_type: 'x', weave_ref }, '{}').subject.callId).toBe(id)
  })
})

describe('what is refused', () => {
  it.each<[string, Case, string]>([
    ['two emoji', { feedback_type: 'wandb.reaction.1' }, '{"emoji":"👍👍"}'],
    ['no emoji', { feedback_type: 'platform.reaction.1' }, '{"emoji":"a"}'],
    ['an empty note', { feedback_type: 'wandb.note.1' }, '{"note":""}'],
    ['a note that is no text', { feedback_type: 'wandb.note.1' }, '{"note":5}'],
    ['a long note', { feedback_type: 'wandb.note.1' }, `{"note":"${'x'.repeat(1025)}"}`],
    ['a note with a ref', { feedback_type: 'wandb.note.1', call_ref: call }, '{"note":"x"}'],
    ['a note with tags', { feedback_type: 'wandb.note.1', scorer_tags: ['t'] }, '{"note":"x"}'],
    ['an annotation without its ref', { feedback_type: 'wandb.annotation.quality' }, '{"value":1}'],
    ['an annotation of nothing', { feedback_type: 'wandb.annotation', annotation_ref: spec }, '{"value":1}'],
    [
      'an annotation of another name',
      { feedback_type: 'wandb.annotation.x', annotation_ref: spec },
      '{"value":1}',
    ],
    [
      'an annotation by an op',
      { feedback_type: 'wandb.annotation.judge', annotation_ref: op },
      '{"value":1}',
    ],
    [
      'an annotation by the spec of another project',
      {
        feedback_type: 'wandb.annotation.quality',
        annotation_ref: 'weave:///acme/two/object/quality:d1',
      },
      '{"value":1}',
    ],
    [
      'an annotation without a value',
      { feedback_type: 'wandb.annotation.quality', annotation_ref: spec },
      '{}',
    ],
    [
      'a runnable op without its call',
      { feedback_type: 'wandb.runnable.judge', runnable_ref: op },
      '{"output":1}',
    ],
    ['a runnable of another name', { feedback_type: 'wandb.runnable.x', runnable_ref: spec }, '{"output":1}'],
    [
      'a call_ref that is of no call',
      { feedback_type: 'wandb.runnable.quality', runnable_ref: spec, call_ref: spec },
      '{"output":1}',
    ],
    ['a ref that is none', { feedback_type: 'wandb.runnable.judge', runnable_ref: 'x' }, '{"output":1}'],
    ['a monitor without refs', { feedback_type: 'wandb.agent_monitor' }, '{}'],
    [
      'a monitor without what started it',
      { feedback_type: 'wandb.agent_monitor', runnable_ref: op, call_ref: call },
      '{}',
    ],
    ['agent feedback without tags', { feedback_type: 'wandb.agent_user_feedback', scorer_tags: [] }, '{}'],
    [
      'agent feedback on another turn than its ref',
      {
        feedback_type: 'wandb.agent_user_feedback',
        scorer_tags: ['t'],
        weave_ref: turn,
        span_trace_id: 't2',
      },
      '{}',
    ],
    [
      'agent feedback on a turn and a conversation',
      { feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['t'], weave_ref: talk, span_trace_id: 't' },
      '{}',
    ],
    ['an own type with a ref', { feedback_type: 'my.own', runnable_ref: op }, '{}'],
    ['an own type with a spec', { feedback_type: 'my.own', annotation_ref: spec }, '{}'],
    ['feedback about nothing', { feedback_type: 'my.own', weave_ref: 'nothing' }, '{}'],
    ['feedback about a project', { feedback_type: 'my.own', weave_ref: 'weave:///acme/one' }, '{}'],
    ['a call that is no part of a ref', { feedback_type: 'x', weave_ref: 'weave:///acme/one/call/%' }, '{}'],
  ])('%s', (_, given, payload) => {
    expect(() => check(given, payload)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

it('both names of a type are one', () => {
  expect(canonicalType('wandb.reaction.1')).toBe(canonicalType('platform.reaction.1'))
  expect(canonicalType('wandb')).toBe('platform')
  expect(canonicalType('wandbox')).toBe('wandbox')
  expect(canonicalType('mine')).toBe('mine')
})
