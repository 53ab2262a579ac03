/**
 * What a newcomer needs to know of each operation beside its summary, by operation id: what it is for, what a repeated
 * or an unknown thing gives, limits, and which client calls it. The OpenAPI document and its page show these texts.
 */

const AGENTS = {
  agent_conversation_chat:
    'A turn is a trace with a span of this conversation; an unknown conversation has none. `limit` (at most 50) and `offset` count turns from the newest, and the page itself starts with its oldest turn. The Python SDK calls it in `get_agent_turns`.',
  agent_conversation_spans:
    'Takes several conversations at once, for example to draw an overview of them, and returns one entry for each id in the order of the request; an unknown id has no spans. Use `/agents/conversations/chat` to read what was said.',
  agent_search:
    'The search is case-sensitive and covers user, assistant and system messages, and the arguments and results of tools. `limit` (at most 1000) and `offset` count messages, the answer groups them by conversation, and previews have at most 500 characters unless `truncate_content` is false. The Python SDK calls it in `search_agents`.',
  agent_trace_chat:
    'Returns the messages, tool calls and starts of agents in the trace, in their order, with the tokens and costs of the whole trace. An unknown trace has no messages. The Python SDK calls it in `get_agent_turn`.',
  agent_custom_attrs_schema:
    'Use it to learn which `custom_attrs_…` keys filters, groups and columns of `/agents/spans/query` can use. The attribute of the most spans comes first; `has_more` says whether there are others after this page. The Python SDK calls it in `get_agent_custom_attributes`.',
  agent_spans_stats:
    'Each row has a bucket, the groups and the value of every metric, also for empty time buckets; `columns` describes the columns. With `group_by`, the range is at most 31 days and the groups with the most spans are returned, up to `group_limit`. The Python SDK calls it in `get_agent_span_stats`.',
  agent_spans_query:
    'Without `group_by` the answer lists spans in `spans`, the newest first; with it, `groups` has one row for each group and its measures. Messages, instructions and tool contents are included only with `include_details`, and `limit` is at most 10,000. The Python SDK calls it in `get_agent_spans`.',
  agent_versions_query:
    'Each version comes with its counts, tokens, errors and times, the one that ran last first. Spans without a version count as the version "", and an unknown agent has no versions. The Python SDK calls it in `get_agent_versions`.',
  agents_query:
    'An agent is a name that spans carry; counts, tokens and durations cover the spans with that name, not the spans below them without one. The agent that ran last comes first, and costs are null unless `include_costs` is set. The Python SDK calls it in `get_agents`.',
  mcp: 'Speaks protocol version 2026-07-28 without sessions, and answers clients of 2025-11-25. A tool may do what the key may: it calls the routes described here, and tools that write are shown only to keys that may write. Answers are cut to `max_tokens`, with a cursor that goes on.',
}

const ANNOTATION_QUEUES = {
  annotation_queue_add_calls:
    'Takes at most 1000 call ids; the order of the request is the order in the queue. `display_fields` says which parts of the calls annotators see. Sending the same calls again adds nothing; an unknown or deleted queue gives 404.',
  annotation_queue_annotators:
    "Returns how many items each annotator has completed, skipped and begun. For each question with answers by two or more annotators on the same item, it returns the share of equal answers and Krippendorff's alpha.",
  annotation_queue_create:
    'The scorer refs name the questions that annotators answer. Each request makes a new queue, even if the name exists. The answer has the id that the other routes take.',
  annotation_queue_delete:
    'The answer is the queue with the time of its deletion. Afterwards lists omit it, and reading or changing it gives 404 with `deleted_at`.',
  annotation_queue_items_query:
    "The state of an item is the newest of any annotator, or with `own_progress` the caller's own; it is `unstarted` if nobody has begun. With `include_position`, items have their position in the filtered order, from 1.",
  annotation_queue_item_progress_update:
    'Each annotator has a state of their own for each item. From `unstarted` or `in_progress` an item can become `in_progress`, `completed` or `skipped`; the last two are final, and any other move gives 400. Setting the same state again changes nothing.',
  annotation_queue_read: 'An unknown queue gives 404; a deleted one gives 404 with `deleted_at`.',
  annotation_queue_update:
    'Changes only the fields that are sent; null leaves a field as it is. The answer is the whole queue. An unknown or deleted queue gives 404.',
  annotation_queues_query_stream:
    'Returns one queue per line, without deleted ones. `name` finds a part of the name in upper or lower case, and `sort_by` changes the order.',
  annotation_queues_stats:
    'An item counts as completed if any annotator completed or skipped it. The answer has an entry for each id, in the order of the request; an unknown queue has no items. At most 1000 ids.',
}

const CALLS = {
  call_read:
    'Use it for one call whose id you know; unknown and deleted calls give 200 with null, never 404. To read many calls, use `/calls/stream_query` with `call_ids`.',
  calls_activity:
    'Made for a list of projects: what happened in each, in the order of the request, and when its last call began. Each project must be one that the key may read. For other times and metrics use `/calls/stats`.',
  call_facets:
    'Makes lists to choose from: for each field the most frequent values of the calls that match, or ranges of numbers, all in one pass. `query` holds for every facet, and the `query` of a facet for it alone, so that what is chosen in a facet can be left out of its own counts. At most a million calls are counted; `is_partial` says when there were more. An unknown field gives 422.',
  call_stats:
    'Returns buckets for charts: usage by time and model, and call counts, errors and latency by time. Keys are the aggregation and the metric, such as `sum_total_tokens` or `p95_latency_ms`. A longer range or an unknown time zone gives 422.',
  calls_query:
    'Takes the same request as `/calls/stream_query`, which newer clients use. The answer holds all calls in one list.',
  calls_query_stats:
    'Takes the filter and the query of `/calls/stream_query`. With a `limit` it stops counting there, and `has_more` says whether the limit was reached; a limit below 1 gives 400.',
  calls_query_stream:
    'The main way to read calls: fields of `filter` must all match, any value of a list is enough, and `query` adds conditions on any field. Lines are in the order of `started_at`, unless `sort_by` says otherwise, and there is no limit unless you set one. The SDKs and the pages use it; if nothing matches, the body is empty.',
  calls_usage:
    "Takes at most 1000 call ids and sums usage over each call and everything below it, also if those calls would not match a filter. Calls that began more than a day before the first of these ids count as below none of them. An unknown id has no usage. If the calls' traces have more calls than `limit`, it gives 400 instead of a partial sum.",
  trace_usage:
    'Takes a filter instead of ids, and sums only over matching calls: a descendant that does not match does not count. `unfinished_call_ids` lists calls that still run, whose usage can grow. If more calls match than `limit`, it gives 400 instead of a partial sum.',
  call_end:
    'Until the start arrives, no read returns the call. A second end replaces the first. To log a call that is already finished, send it whole to `/v2/{entity}/{project}/calls/complete`.',
  call_end_v2:
    'The Python SDK uses it with `/v2/{entity}/{project}/call/start`. A second end replaces the first. Use `/call/end` if the end may arrive before the start.',
  call_start:
    "A missing `id` or `trace_id` is generated; the answer has both. A second start with the same id replaces the start's fields and keeps the end.",
  call_start_v2:
    'The Python SDK uses it for ops that should be visible while they run, such as evaluations. The answer has the id and the trace id.',
  call_update:
    'Changes nothing but the display name; null gives 400. An unknown call gives 200, too. The request can be repeated.',
  call_start_batch:
    'The answer lists the id and trace id of each start and an empty object for each end, in the order of the batch. The Python SDK uses it if `WEAVE_USE_CALLS_COMPLETE` is false. The key needs the right to write to every project of the batch.',
  calls_complete:
    'The Python SDK logs here by default, with start and end of a call in one object. Sending the same call again is safe: it replaces itself.',
  calls_delete:
    'Takes at most 1000 ids, more give 413, and also deletes their descendants in the same trace. `num_deleted` counts the requested ids, even unknown ones, and the descendants. The request can be repeated.',
}

const BATCHES = {
  create_file:
    'The form has the fields `file` and `purpose`, which has to be `batch`. A file has at most 64 MiB and is kept for 30 days unless `expires_after` says less. More than HEDDLE_BATCH_FILES of a key gives 429.',
  list_files:
    'Result files of batches are among them, with the purpose `batch_output`. `after` is the id of the last file of the previous page.',
  get_file: 'An unknown, deleted or expired file gives 404, and so does one of a key with other rights.',
  get_file_content: 'The content of a result file is in the order of the lines of its input file.',
  delete_file:
    'The input file of a batch that has not ended gives 409. Deleting a result file leaves the batch.',
  create_batch:
    'Each line of the input file is `{custom_id, method, url, body}`, with the body of a request to `endpoint`, without `stream`. With the header `x-heddle-project`, or a key that has a trace project, lines are logged as calls. Lines run in places that live requests leave idle, with the rights that the key has at that moment. A wrong line fails alone. More than HEDDLE_BATCH_QUEUE unfinished batches of a key give 429.',
  list_batches: '`after` is the id of the last batch of the previous page.',
  get_batch:
    '`request_counts` is current while the batch runs. When the batch has ended, `output_file_id` has the answers and `error_file_id` the lines without one; a file without lines is not made.',
  cancel_batch:
    'The batch is `cancelling` until running lines have stopped, which takes seconds. The answers so far are in the output file; every other line is in the errors file. A batch that has ended stays unchanged.',
}

const CHAT = {
  create_chat_completion:
    "Works with OpenAI's SDKs: set their base address to this interface's `/v1`. `model` is a base model or a trained one, such as `artifact:///entity/project/name:step5`; an unknown model gives 404. Parts `image_url` are images, as data URLs of PNG, JPEG, WebP or GIF files, or as addresses if HEDDLE_CHAT_IMAGE_ADDRESSES is on; models that take none give 400 `NO_IMAGES`. With the header `x-heddle-project: entity/project`, or a key that has a trace project, the completion is logged as a call, and the header `x-heddle-call-id` of the answer has its id. Its token ids are kept beside it if the project, `return_token_ids` or the header `x-heddle-keep-token-ids: true` says so; `x-heddle-thread` names its session.",
  create_response:
    "OpenAI's Responses interface on the models of `/v1/chat/completions`: a request does what the same chat completion would, with its queues, limits, trained models and logging. Fields of chat completions that this interface lacks, such as `seed` or `return_token_ids`, are taken as well. Functions and custom tools are for the caller to run; tools that only a hosted provider runs give 400 `UNSUPPORTED_TOOL`, except for Codex, which sends them unasked: they are left out, and the header `x-heddle-left-out` names them. Images are as in chat completions. Unless `store` is false, the response is stored before its last event is sent, for keys with the same rights; with `background` it goes on though its caller leaves.",
  count_response_tokens:
    'The tokens are counted by the template of the model, as `usage` would count them. Nothing is generated.',
  compact_response:
    'Send the item of `output` as the first of a later `input`: the model sees the summary as a message. The item holds the summary, signed; items of other services are refused.',
  retrieve_response:
    'Finds responses that a key with the same scopes stored, until the retention of the project they were logged to, or the default one, ends. With `stream=true` the process that runs the response sends its events after `starting_after`; another one sends the last event when it is there.',
  delete_response: 'What was sent and answered is gone from requests that continue later responses, too.',
  cancel_response:
    'A response that has ended is returned as it is. What a cancelled one said until then is not kept.',
  list_response_input_items:
    'Lists what was sent with the request itself, without what it continued; the newest first.',
  create_conversation:
    'Send its id as `conversation` with responses: they begin with its items, and add what was sent and answered when they end.',
  retrieve_conversation: 'Keys with the same scopes as the one that created it find it.',
  update_conversation: 'Replaces all of the metadata.',
  delete_conversation: 'Responses that were part of it can still be retrieved.',
  create_conversation_items: 'Adds up to 1000 items after those that are there.',
  list_conversation_items: 'The newest first, unless `order` is `asc`.',
  retrieve_conversation_item: 'Items of responses have the ids that the responses had.',
  delete_conversation_item: 'Later responses no longer see it; the response that it came from keeps it.',
  create_message:
    "Works with Anthropic's SDKs and Claude Code: set their base address to this interface's, without `/v1`. Thinking is in the answer if `thinking` asks for it. `x-heddle-left-out` lists types of blocks that were left out, such as thinking of another provider's model. Errors have that interface's form, with our code in `error.code`. Logged as chat completions are.",
  count_message_tokens:
    'Takes what `/v1/messages` takes, and counts as the model would: by its own template, with its tools. Nothing is generated, and the conversation may be longer than the context.',
  create_completion:
    'The prompt is taken as it is, without a chat template: use it with base models, and for evaluations by log-probabilities. It is a text, a list of tokens, or up to 128 of either; every prompt has its own choices. With `echo`, `logprobs` has the tokens of the prompt, too, and `max_tokens: 0` generates nothing.',
  create_embedding:
    'One vector an input. Works with OpenAI’s SDKs. `model` is an embedding model, which `/v1/models` tells apart by `capabilities`; a model that chats gives 400 `NO_EMBEDDINGS`. An input longer than the model takes gives 400 `PROMPT_TOO_LONG`, and `dimensions` that the model was not trained for 400. Queues, limits, keys and logging are those of chat completions; a logged call has no vectors.',
  create_chat_completion_slash: 'For clients that end addresses with a slash; there is no redirect.',
  completions_create:
    "Uses the provider's secret stored here, so callers don't need it. If the provider fails, the answer is 200 with `response.error`, and the call is logged with the error. A model without a provider gives 404 and logs nothing, as does `track_llm_call: false`.",
  completions_create_stream:
    'Takes the same request as `/completions/create` and returns the chunks as JSON lines while the model writes. If the provider fails, the last line is `{error}`. The pages use it.',
}

const COSTS = {
  cost_create:
    'Takes at most 1000 prices, and stores them again if the request is repeated. A new price does not replace older ones: a call takes a price whose `effective_date` is not after its start, those of the project before default ones, then the newest. Costs are computed when calls are read, so a price with an earlier date changes those of stored calls.',
  cost_defaults:
    'Use it to tell users that prices may be out of date. An operator loads a newer list with `heddle costs load`.',
  cost_purge:
    "Unknown ids are ignored. Default prices can't be deleted; set a price of the project instead, which comes first.",
  cost_query: 'Does not include default prices. The ids in the answer are those that `/cost/purge` takes.',
}

const DATASET_SOURCES = {
  source_datasets_query:
    'Use it to show on a call in which datasets it is. Each row of the answer is one source and one dataset, with at most 100 row digests and their total number; sources without links are omitted. At most 1000 sources.',
  dataset_sources_link:
    'Takes at most 1000 pairs of a row and a source, more give 413. Calls and spans must exist, else 400; conversations are not checked. Linking a pair again keeps its id and updates its metadata.',
  dataset_sources_link_delete:
    'Takes at most 1000 ids of links. They must exist in the project, else 400 and none is deleted; linking the pair again brings it back. `include_deleted` lists deleted ones, too.',
  dataset_sources_query:
    'Takes row digests and returns their links, in the order of rows and sources; rows without links have none.',
}

interface Versions {
  /** used in operation ids */
  id: string
  /** what a create stores, as a sentence */
  stores: string
  /** what stays when a version is deleted, as a sentence */
  stays: string
}

/** The four operations on a kind of object. */
function ofVersions({ id, stores, stays }: Versions): Record<string, string> {
  return {
    [`${id}_create`]: `${stores} An existing name gets a new version, an equal value its existing version; the answer has the object's id, the digest and the number of the version.`,
    [`${id}_list`]: `Returns every version with its content, one per line, including those that SDKs created; \`limit\` and \`offset\` page. For the newest version of each object only, use \`/objs/query\` with \`latest_only\`.`,
    [`${id}_read`]: `An unknown version, or an object of another kind, gives 404; a deleted version gives 404 with \`deleted_at\`.`,
    [`${id}_delete`]: `If any named version is missing, the answer is 404 and nothing is deleted; more than 100 names give 400. ${stays}`,
  }
}

const VERSIONS = {
  ...ofVersions({
    id: 'dataset',
    stores: 'Stores the rows as a table and a dataset object that refers to it.',
    stays: 'The rows stay in their table.',
  }),
  ...ofVersions({
    id: 'evaluation',
    stores:
      'Stores which dataset is evaluated and which scorers are applied; they must exist, else 404. It runs nothing: `/evaluations/evaluate_model` or an SDK does.',
    stays: 'Runs of the evaluation, its dataset and its scorers stay.',
  }),
  ...ofVersions({
    id: 'model',
    stores:
      'Stores the source code and the attributes of a model as an object, for evaluations to refer to. The models that are trained and served have their own routes under `/v1`.',
    stays: 'Calls and runs of the model stay.',
  }),
  ...ofVersions({
    id: 'op',
    stores:
      'Stores the source code of a function, for calls and scorers to refer to. SDKs create ops themselves with `/obj/create`.',
    stays: 'Calls of the op stay.',
  }),
  ...ofVersions({
    id: 'scorer',
    stores: 'Stores a scorer and the two ops that it consists of: one scores, one summarizes.',
    stays: 'Scores that it gave and its ops stay.',
  }),
}

interface Records {
  /** used in operation ids */
  id: string
  /** how the list is filtered, as a sentence */
  filtered: string
  /** what a read returns, as a sentence */
  shows: string
  /** what a delete means for others, as a sentence */
  deletes: string
}

/** The operations that list, read and delete a kind of records over calls. */
function ofRecords({ id, filtered, shows, deletes }: Records): Record<string, string> {
  return {
    [`${id}_list`]: `${filtered} \`limit\` and \`offset\` page.`,
    [`${id}_read`]: `${shows} An unknown id gives 404.`,
    [`${id}_delete`]: `Takes at most 1000 ids, as repeated \`${id}_ids\` parameters; more give 413. ${deletes} \`num_deleted\` counts the requested ids, even unknown ones, and the calls below them.`,
  }
}

const RECORDS = {
  ...ofRecords({
    id: 'evaluation_run',
    filtered: 'Filter by refs of evaluations, by models or by ids.',
    shows: 'Returns the evaluation, the model, the status and the summary of the run.',
    deletes: 'Its predictions and scores are calls below it and are deleted with it.',
  }),
  ...ofRecords({
    id: 'prediction',
    filtered: 'With `evaluation_run_id`, returns only the predictions of that run.',
    shows: 'Returns the model, the inputs, the output and the run, if it is part of one.',
    deletes: 'Scores are calls beside their prediction and stay.',
  }),
  ...ofRecords({
    id: 'score',
    filtered: 'With `evaluation_run_id`, returns only the scores of that run.',
    shows: 'Returns the scorer, the value and the run, if it is part of one.',
    deletes: 'The predictions stay.',
  }),
}

const EVALUATION_RUNS = {
  evaluation_run_create:
    'Use it to log an evaluation that your own program runs: start a run, log predictions and scores in it, then finish it; to let the server run the evaluation, use `/evaluations/evaluate_model`. The evaluation must exist, else 404. Each request starts a new run.',
  evaluation_run_finish:
    'Computes the mean of each score over the predictions of the run, stores them as its output, and adds the given summary. A run that has ended gives 400, an unknown one 404.',
  prediction_create:
    'Outside of a run, a prediction is a trace of its own. A missing model or run gives 404, and a run that has ended gives 400. Each request logs another prediction.',
  prediction_finish:
    'Call it when all scores of the prediction are there. Outside of runs it does nothing. A prediction that is already finished gives 400, an unknown one 404.',
  score_create:
    'A missing prediction, scorer or run gives 404; a prediction of another run gives 400. If the prediction is already finished, its row gets the score as well. Each request logs another score.',
  eval_results_query:
    'Rows are matched between runs by their digest, and each run has its trials of the row; the comparison page uses it. At least one run id is required, at most 100. With `include_summary`, each run also has the mean or the pass rate of each scorer.',
}

const EVALUATIONS = {
  alert_delete:
    'Removes the alert; its history stays. If it is not ok, the channels that were last notified get a message that it is over. An unknown alert is a 404.',
  alert_history:
    'Lists each change of state, also those that nobody was notified of, with the delivery by each channel. A delivery is tried for a day, with the same `id` each time.',
  alert_mute:
    'Until then the alert is checked, and nobody is notified. Afterwards people are notified once of what is still so. Quiet hours, for every week, are part of the alert.',
  alert_preview:
    'Measures windows of that length, one after the other up to now, at most 31 days back (12 windows for SQL), and says which state each group would have had. Nothing is stored, and nobody is notified.',
  alert_save:
    'Measures the source once, so that what can not be measured is refused here. A name that exists is replaced and keeps its state; a change of what it is grouped by, or `active: false`, ends what it told. Unknown channels are a 404.',
  alerts_query:
    'Lists alerts with their state, the groups that are not ok, and the value of the last check. One process checks alerts, each at least once a minute; it needs Redis, and `problem` says so where there is none.',
  channel_delete:
    'Removes the channel and its secret; what waits to be sent by it is given up. Alerts that name it go on with their other channels. An unknown channel is a 404.',
  channel_save:
    'Addresses and keys are encrypted by HEDDLE_SECRETS_KEY and shown nowhere; addresses in private networks are refused unless the operator allows them. Webhooks are signed as Standard Webhooks says, by a secret that this answer shows once and each save renews. Mail needs HEDDLE_SMTP_URL.',
  channel_test:
    'Sends one test, and waits up to 15 seconds for the receiver. `problem` says why it was not delivered. PagerDuty gets an incident that is resolved at once.',
  channels_query: 'Lists channels by name with the host, repository or mail addresses that they send to.',
  monitor_activate:
    'Publishes the newest version of the monitor again, with the other state, as `activate()` and `deactivate()` of the SDK do. It scores calls from its activation on; an unknown monitor is a 404.',
  monitor_agreement:
    "Takes the newest judgement of each about a call; booleans and texts are labels, numbers are true from the threshold on, thumbs are true and false. κ says how far they agree beyond chance; the calls on which they don't are named, so that they can become a dataset.",
  monitor_backfill:
    'Scores calls that came before the monitor, the newest first and a page at a time; `action` pauses it, lets it go on, or cancels it. Starting again begins anew, and gives no call a second score. The daily limit does not apply; `/monitors/preview` says how many calls match.',
  monitor_create:
    'Publishes a `Monitor` object, and a `SignalScorer` for each of its signals. A name that exists gets a new version. A monitor that could not be applied, such as one whose condition reads feedback or whose scorer is Python code, is a 400.',
  monitor_delete:
    'Deletes all versions of the monitor; nothing is scored by it any more, and a backfill of it ends. Its scores stay. An unknown monitor is a 404.',
  monitor_preview:
    'Counts the ended calls of the last hours that such a monitor would match, and shows the newest of them. Use the name that the monitor will have: which calls are in a sample follows from it. Nothing is stored.',
  monitors_query:
    'Lists the newest version of each monitor with what it matched, the scores it asked for today, why it scores nothing, and how far its backfill is.',
  signals_query:
    'Built-in signals look at the turns of agents, at the roots of traces that asked a model, and at chat completions outside of agents: within seconds, without a model, and at a sample while more than forty a second come in all projects. What one finds is feedback `wandb.runnable.<signal>` on the call; what it does not find is not stored.',
  signals_update:
    'Replaces the list; an empty one lets all run. It applies to calls from then on, within seconds. HEDDLE_SIGNALS turns them off for all projects.',
  rule_activate:
    'Publishes the newest version of the rule again, with the other state. What waits to be done by a stopped rule waits until it is active again; an unknown rule is a 404.',
  rule_delete:
    'Deletes all versions of the rule; its runs stay for 90 days, and what was not done fails. An unknown rule is a 404.',
  rule_preview:
    'Counts what would have set off a rule with this trigger in the last days, and shows the newest twenty with their times. Nothing is stored, and nothing is done. Of scores and other events the newest 100,000 are looked at.',
  share_create:
    'The answer has the link, which is stored as a hash and not shown again. A dashboard is shared as it is now: charts that it gets later are not shown. A trace, run or dashboard that is not there gives 404, and more days than the server allows 400. Whoever has the link needs no key, and sees nothing else of the project.',
  share_revoke:
    'Within 10 seconds the link leads nowhere, in every process. To revoke it again changes nothing; an unknown link is a 404.',
  shares_query:
    'Says who made each link, until when it is good, and how often its page was opened. Tokens are not stored, so they are not shown. Counts are some seconds late.',
  shared_call:
    'Users, keys, machines and e-mail addresses are left out, and what looks like a credential. A call of another trace is a 404. Needs no key.',
  shared_calls:
    'In no order. An exception is cut after 200 characters; the call itself has all of it. Needs no key.',
  shared_dashboard:
    'What the panels show is read once in 20 seconds, however many ask. Users are numbered instead of named. Needs no key.',
  shared_evaluation:
    'The rows with what the model made of them, and the summary of the run. Traces of the run are not shown. Needs no key.',
  shared_facts:
    'In no order. What a call was used for and what it cost, as the pages show it beside the times of a trace. Needs no key.',
  shared_file:
    'Only what inputs and output of that call name; anything else is a 404. Browsers save the file instead of showing it. Needs no key.',
  shared_read:
    'A link that is wrong, expired or revoked gives the same 404, as does one to what was deleted. Each answer counts as a view. Needs no key.',
  mentionable:
    'At most eight, by name: users whose roles let them read feedback of the project, and holders of keys that do. Upper and lower case are the same.',
  mentions_read:
    'The newest 200, of projects that you may read. A note that was withdrawn is not among them, and one that was edited is shown as it is.',
  mentions_seen:
    'Mentions until then are not new any more, on all of your devices. An earlier time than before changes nothing.',
  rule_retry:
    'Tries failed actions again, each for another day; what is done or cut stays. An unknown rule is a 404, and a run without a failed action, too.',
  rule_runs:
    'Lists what set off rules, with each action: its state, tries, result and problem. An action is tried for a day; runs are kept for 90 days.',
  rule_save:
    'Publishes a `Rule` object, which acts from then on as `rules`, with rights in this project alone. A name that exists gets a new version. An action that does not go with the trigger, a query that reads more than the call, and rules that would set each other off for ever are a 400; an unknown channel is a 404.',
  rules_query:
    'Lists the newest version of each rule with what it matched and when. One process applies rules, within seconds; it needs Redis, and `problem` says so where there is none.',
  evaluate_model:
    'Checks everything at once, answers with the id of the root call, and lets workers run the evaluation; read `/evaluations/status` for its progress. The model must be an LLMStructuredCompletionModel object, since the server runs no Python code. A server without evaluation workers gives 503, and each request starts a new run.',
  evaluation_status:
    'The status is `not_found`, `running` with completed and total rows, `failed` with the error, or `complete` with the output. A call that is not the root of an evaluation gives 400.',
  rescore:
    'Answers at once with the id of the new run, which workers fill. The source run must have ended, else 400. Use it to try scorers without paying for predictions again.',
  plan_scorers:
    'The scorers of RL jobs and their held-out checks are planned so. It gives 400 for a scorer that is code, or has a wrong value, and 404 for an object that is missing. Nothing is scored.',
  calls_score:
    'Takes at most 1000 calls and 50 scorers. If any call is missing, it gives 404 with `missing_calls` and nothing is scored. The answer is empty and comes at once; results appear as feedback on the calls.',
}

const FEEDBACK = {
  feedback_aggregate:
    'For charts of agent monitors and scorers: each bucket has the number of each tag, and the number and sum of each rating. The range starts at `after_ms` and ends before `before_ms`; empty buckets are omitted.',
  feedback_payload_schema:
    'Use it to learn which `json_path` values `/feedback/stats` can aggregate. It reads a sample, so rare paths may be absent.',
  feedback_query:
    '`query` filters by any column or by `payload.<path>`. `total_count` ignores `limit` and `offset`. To get feedback together with calls, use `/calls/stream_query` with `include_feedback`.',
  feedback_stats:
    'Each metric names a path in the payload and how to aggregate it; `window_stats` covers the whole range. Keys are the aggregation and the path with `_` instead of dots.',
  feedback_create:
    'Notes need `payload.note`, reactions `payload.emoji` with exactly one emoji; types of your own take any object, and the answer has the payload as it was stored. Sending feedback with the same id and ref again changes nothing. An unknown queue, or a payload that does not fit its type, gives 400.',
  feedback_create_batch:
    'Takes at most 10,000 pieces of feedback, also for several projects; the answers are in the same order. The Python SDK uses it, and falls back to `/feedback/create` where it is missing.',
  feedback_purge: 'Unknown ids are ignored, so the request can be repeated.',
  feedback_replace:
    'Deletes the feedback `feedback_id` and stores the new one, which gets a new id unless you send one. An unknown `feedback_id` is no error: the new feedback is stored.',
}

const FILES = {
  file_content:
    'Returns the bytes as they were uploaded. An unknown digest gives 404; a range beyond the end gives 416.',
  file_create:
    'Takes a multipart form of at most 64 MiB with `project_id` and `file`. Equal bytes give the same digest, so an upload can be repeated. A wrong `expected_digest` gives 409.',
  file_download:
    'Needs no key: the signature in the address is the right to read the file. A wrong or expired signature gives 403; get a new address. Browsers save the file instead of showing it.',
  file_upload:
    'The address says whose file it is, its digest and its size, and expires. A body of another size or digest gives 400, and a wrong or expired signature 403.',
  files_resolve_url:
    'Use it to hand a file to a browser or a program that has no key; anybody with the address can read the file. A file that does not exist, or a ref to another project, gives 404. At most 1000 files.',
  files_stats: 'A file that was stored several times counts once.',
  image_create:
    'If the provider fails, the answer is 200 with `response.error`. A model without a provider gives 404, and nothing is logged. A request that is repeated with the same `X-Weave-Retry-Id` header gets the first answer, so images are not paid for twice.',
}

const INFERENCE = {
  model_analysis_listing:
    'Use it to see how busy models are: running requests, tokens per second and time to the first token. The list is empty if no node is up.',
  hardware_listing:
    'Each entry is one kind of accelerator and its number per node, with the number of such nodes. The list is empty if no node is up.',
  router_model_listing:
    'Each entry has the context length and whether trained adapters are supported. The list is empty if no node is up. `/v1/models` lists the same models for OpenAI clients.',
}

const PEOPLE = {
  users_me:
    '`grants` are the rights that follow from the roles of the user, or those of the key; a grant with an `area` is for the routes with this tag alone.',
  users_leave:
    'Also leaves the teams of that entity that were made by hand. What a sign-in provider or SCIM gave comes back with the next sign-in; have it taken away there. The last owner stays: 409 `LAST_OWNER`.',
  users_list:
    'Names are in order; `next` goes into `after` to read on. `query` looks at username, shown name and address.',
  users_create:
    'Service accounts are for programs: make keys with their `username`. Whoever administers `scope` looks after the account. People are invited, or come by signing in.',
  users_read: 'Users without a role in what you administer give 404, like unknown ones.',
  users_update:
    'You must have all rights that the user has. An inactive user keeps its roles, and has them again when it is activated. The last owner of a scope can’t be deactivated: 409 `LAST_OWNER`.',
  users_hand_over:
    'You must have all rights that the first one has. The keys go on with the rights that they have. Roles that come from a team, from sign-in or from SCIM stay where they are.',
  members_list:
    'Needs the right to read the scope. A role over an entity, or over `*`, is one over all that lies in it, so these are listed, too. Roles of one member that come from several sources add up.',
  members_set:
    'You must have all that the role gives, and all that the member had. Only owners make owners. What teams, sign-in and SCIM give is not changed.',
  members_remove: 'As setting a role. The last owner of a scope can’t be removed: 409 `LAST_OWNER`.',
  teams_list: 'Teams with a `source` come from there, and are changed there.',
  teams_create: 'Give it roles with `PUT /members`. The name must be free in its entity.',
  teams_rename: 'Its roles and members stay.',
  teams_delete: 'Its members lose what they had by it. You must have all that the team has.',
  teams_add: 'You must have all that the team has. A user that is in it already stays so.',
  teams_remove: 'You must have all that the team has. A user that is not in it is no error.',
  roles_list:
    'Built-in roles have no entity. A role of an entity may be given in it; `areas` are what permissions may be for.',
  roles_save:
    'You must have all that it permits, and permitted before. Names are lower-case letters, digits and dashes. Of two who change a role at once the second gets 409 `CHANGED_MEANWHILE`: read it again first.',
  roles_delete:
    'Members keep the name of the role, and have nothing by it; a new role of that name counts again.',
  invitations_list: 'Links are not shown again; revoke the invitation and make another one.',
  invitations_create:
    'Send the link to the person: whoever has it can use it, once. It stops working when you lose the rights that it gives.',
  invitations_revoke: 'Who used it before stays.',
  invitations_accept:
    'Sets a cookie as signing in does, unless somebody is signed in. An address that has a user already must sign in first: 409 `NAME_TAKEN`. Other sites can’t send it: 403.',
}

const SCIM = {
  scim_list:
    'All of SCIM needs `admin` over `*`; a key for it alone has that right for the area `SCIM`. Filters have `and`, `or`, `not`, parentheses, `[…]` and all comparisons. At most 1,000 come at once; `startIndex` reads on.',
  scim_search:
    'As a list with the same filter, for clients that send no filters in addresses. Users come first.',
  scim_search_in: 'As a list with the same filter, for clients that send no filters in addresses.',
  scim_read: 'The answer has its version as `ETag`; with `If-None-Match` an unchanged one gives 304.',
  scim_create:
    'A `userName` or `displayName` that is taken gives 409 `uniqueness`. What the schema doesn’t have is ignored. Users have no role by this: give roles to the groups, which are teams of `*`.',
  scim_replace:
    '`If-Match` with an older version gives 412. What is not sent is forgotten, but for `active`.',
  scim_patch:
    'Takes `add`, `replace` and `remove` in any case, with paths, filters in paths, or without a path. `active: false` stops sessions and keys within 10 seconds. What is there already, or gone already, is no error.',
  scim_delete:
    'A user’s id stays its own: what it did stays in the audit log. The last owner of a scope gives 409.',
}

const KEYS = {
  key_rotate:
    'The new key has user, rights, limits and label of the old one, which stops when the overlap ends. You must administer all that it may do. Personal keys aren’t rotated: make another one.',
  key_update:
    'What is left out stays as it is; null takes a limit away. The caller must be allowed to make the key as it is then, as with making one. The key itself stays the same. Personal keys are changed by their users; an expired or revoked key by nobody.',
  own_key_update:
    'Only in a session of a user, as with making one. What is left out stays as it is; null takes a limit away.',
  own_keys_list: 'Never shows the keys themselves. Expired and revoked ones are omitted.',
  own_key_create:
    'Only in a session of a user, since a key that makes keys could make a stronger one. It never has more than you have: what you lose, it loses within 10 seconds. Without `expires_at` it works for 90 days.',
  own_key_revoke: 'Keys of others give 404.',
  key_create:
    'The caller must administer the scope of every grant, and have the right itself; a key that may administer everything in a scope can be made by its owners alone. A name of a person gives 409 `PERSONS_KEY`. Addresses are those of clients, which behind a proxy needs `HEDDLE_TRUSTED_PROXIES`. Only a hash of the key is stored: copy it from the answer. `trace_project` logs the chat completions of the key there, which the key must be allowed to write to.',
  keys_list: 'Shows ids, users, labels and rights, never the keys themselves. Revoked keys are omitted.',
  key_revoke:
    'A key that is unknown, already revoked, or has rights beyond what this key administers, gives 404.',
  secrets_list:
    'Use it to choose the secret of a Provider object. An operator sets values with `heddle secrets set`; no route returns them.',
}

const OBJECTS = {
  aliases_list: 'The list is sorted and has each name once, `latest` included if the project has objects.',
  obj_add_tags:
    'A tag describes one version, and a version can have many; adding one again changes nothing. An unknown or deleted version gives 404. At most 100 tags.',
  obj_remove_aliases:
    'Aliases that are not set are ignored. `latest` and `v<index>` are reserved and give 400.',
  obj_remove_tags: 'Tags that are not set are ignored. An unknown or deleted version gives 404.',
  obj_set_aliases:
    'An alias names one version of an object, for example `production`, and refs can use it instead of a digest. `latest` and `v<index>` are reserved and give 400. An unknown or deleted version gives 404.',
  tags_list: 'The list is sorted and has each tag once.',
  obj_create:
    'The SDKs publish prompts, models, datasets and ops here. The digest is computed from the value; `latest` moves to this version, and a deleted version with the same value comes back. A wrong `expected_digest` gives 409. If several clients change an object at the same time with `base_digest`, one succeeds; the others get 409, read the new version and try again.',
  obj_delete:
    'If any named version is missing, the answer is 404 and nothing is deleted. `latest` moves to the version that was written last of those left. A later version does not reuse a deleted index.',
  obj_read:
    'An unknown version gives 404; a deleted one gives 404 with `deleted_at`. To follow a path into the value, use `/refs/read_batch`.',
  objs_query:
    'Deleted versions are omitted. Use `latest_only` for one version per object, and `metadata_only` for lists that do not show values. The default order is the time of creation.',
}

const OPENTELEMETRY = {
  langfuse_ingestion:
    'The answer is 207 with the ids of the stored events and the errors of the others. Events of the same trace or observation are combined, and later ones win; a request has at most 10,000 events and 4 MiB. Newer SDKs send OpenTelemetry to `/api/public/otel/v1/traces`.',
  export_agent_trace:
    "The Python SDK's own exporter sends here. A request that would give 400 on `/otel/v1/traces`, such as one without a project, gives an empty 200, so that the program is not disturbed.",
  export_logs:
    'Some instrumentations send prompts and answers as log records; a record joins the span with its trace id and span id. Use it together with one of the routes for traces.',
  export_metrics: 'Nothing is stored.',
  export_trace:
    'The header `project_id: entity/project`, or the resource attributes of the spans, name the project; with neither, the answer is 400. A span that is sent again replaces itself. Spans that cannot be stored are counted in `partialSuccess`, the others are stored.',
  export_trace_at_root:
    'Set `OTEL_EXPORTER_OTLP_ENDPOINT` to the address of this service, and exporters send here.',
  export_trace_of_langfuse:
    "Set Langfuse's host to the address of this service, the public key to the entity/project, and the secret key to an API key.",
}

const LANGFUSE = {
  langfuse_health: "Langfuse's SDKs ask for it; `/health` is the same check.",
  langfuse_prompt_create:
    'A prompt is an object of the class StringPrompt or MessagesPrompt, which the weave SDKs read, too; labels are its aliases. What equals a former version is that version, and becomes `latest`.',
  langfuse_prompt:
    'Without a version and a label it is the one with the label production. Texts such as `@@@langfusePrompt:name=a|label=production@@@` are replaced by the prompts that they name, five levels deep. An unknown one gives 404.',
  langfuse_prompts: 'Filters leave out the versions that do not fit them.',
  langfuse_prompt_label:
    'Other labels of the version stay. `latest` can not be given: it is the version that was published last.',
  langfuse_prompt_delete:
    'Deletes one version, by number or label, or all of them. Later versions do not reuse its number. An unknown one gives 404.',
  langfuse_traces:
    'A trace is a call without a parent; what its span says of the trace is shown and filtered by, and not what spans below it say. Other filters than these are refused.',
  langfuse_trace: 'At most 10,000 observations and as many scores. An unknown trace gives 404.',
  langfuse_trace_delete: 'Deletes all calls of the trace. A trace that does not exist is no error.',
  langfuse_traces_delete: 'At most 1,000. Those that do not exist are no error.',
  langfuse_observations: 'Calls of all clients are observations, with our prices where no costs were sent.',
  langfuse_observations_v2:
    '`fields` names groups of fields; without it there are no inputs and outputs. `cursor` continues after a page.',
  langfuse_observation: 'An unknown one gives 404.',
  langfuse_sessions: 'A session is a thread here.',
  langfuse_session: 'At most 1,000 traces, the oldest first. An unknown session gives 404.',
  langfuse_score_create:
    'A score is about a trace, an observation, a session or a dataset run, and becomes feedback of type `langfuse.<name>` on the call. One whose id exists is replaced. Of a list each score is taken or refused alone: 202 if all were taken, 207 with the errors if not.',
  langfuse_scores:
    'Scores are the feedback whose type begins with `langfuse.`, with its filters as query parameters; those that are not served are refused.',
  langfuse_score: 'An unknown or deleted score gives 404.',
  langfuse_score_delete: 'A score that does not exist is no error.',
  langfuse_scores_v3:
    'Values are numbers, booleans or texts by the data type. `fields` adds details, subject or annotation, `cursor` continues after a page.',
  langfuse_score_configs: 'They are the annotation specs of all clients, the newest first.',
  langfuse_score_config: 'An unknown one gives 404.',
  langfuse_score_config_create:
    'Makes an annotation spec, which annotation queues can ask, too. Scores that name it by `configId` must fit its type, its range or its categories.',
  langfuse_score_config_update:
    'Makes a new version. An archived config takes no new scores; those that are there stay. An unknown one gives 404.',
  langfuse_media_create:
    'Answers with an address on this server that takes exactly these bytes by PUT, without a key, for an hour; or with null if they are stored already. Media are files of the project, of at most 64 MiB, and the same bytes are stored once.',
  langfuse_media_update: 'The SDKs call it after an upload. Unknown media give 404.',
  langfuse_media:
    'The address can be read without a key for an hour. Unknown media, and those that were not uploaded, give 404.',
  langfuse_comment_create:
    'Stores a note, which the pages show with the call, the thread or the object. What it comments on must exist.',
  langfuse_comments: 'Without `objectType`, those on all kinds of objects.',
  langfuse_comment: 'An unknown or deleted comment gives 404.',
  langfuse_metrics:
    'Takes the query as JSON text. A dimension, measure or filter that the view lacks gives 400 with those that it has. Costs are by our prices.',
  langfuse_metrics_v2:
    'As `/api/public/metrics`, without traces, and without dimensions of many values such as ids.',
  langfuse_metrics_daily: 'The newest day comes first. Costs are by our prices.',
  langfuse_projects:
    "The public key names the project. Its id is what the SDKs put into their links, so it's the entity/project.",
}

const LANGFUSE_DATASETS = {
  langfuse_dataset: 'Gives its newest version. An unknown one gives 404.',
  langfuse_dataset_create:
    'A dataset is an object of the class Dataset, which every client sees. A name that no object can have gets an object id that is made from it.',
  langfuse_dataset_item_create:
    'What is left out or null stays as it was. The change can be read at once; a version of the dataset object with it is published within about a second.',
  langfuse_dataset_item: 'An unknown or deleted item gives 404.',
  langfuse_dataset_item_delete: 'Older versions of the dataset keep it. An unknown item gives 404.',
  langfuse_datasets: 'The newest comes first. They are the datasets of all clients.',
  langfuse_dataset_items:
    'Rows that other clients published are items, too: their `input`, or else the whole row, is the input. Archived items are left out.',
  langfuse_run:
    'A run is a run of an evaluation, which `/v2/{entity}/{project}/eval_results/query` compares. An unknown one gives 404.',
  langfuse_run_delete:
    'Deletes the run of the evaluation with its predictions and scores. An unknown one gives 404.',
  langfuse_run_item_create:
    'The run is a run of an evaluation of the dataset. What the trace or observation says, and scores of it, are taken up within seconds, whichever comes first.',
  langfuse_run_items: 'The oldest comes first. An unknown run has none.',
  langfuse_runs:
    'The newest comes first. Runs of experiments that link no items are among them, once their spans are here.',
}

const PROJECTS = {
  ingest_sampling_settings_read:
    'The operator sets it for the whole service; there is no route to change it.',
  sensitive_data_settings_read: 'The operator sets it for the whole service; there is no route to change it.',
  sensitive_data_settings_get: 'As the POST of this path, which older clients send.',
  token_ids_settings_read:
    'Says whether new completions of the project keep their token ids. Those that are kept stay until their calls are deleted.',
  token_ids_settings_update:
    'With `keep`, each completion by a model served here that is logged as a call of the project keeps the token ids of its prompt and answer; `/calls/stream_query` has them with `include_token_ids`, and `training_data.sessions` trains on them. Every process follows within seconds. The header `x-heddle-keep-token-ids` decides for one request.',
  ttl_settings_read:
    'Returns what applies now: the own setting of the project, or the one of the operator. null keeps calls for ever.',
  ttl_settings_update:
    "A project can keep its calls shorter than the operator's setting, not longer; more days, or less than one, give 400. null removes the own setting.",
  link_to_registry:
    'The key needs the right to read the object and to write to the registry project. The link stays on the version that the ref selects now, even if `latest` moves, and linking it again gives the same link. An unknown or deleted version gives 404.',
  projects_list:
    'The pages show this list. A project appears with its first write. `search` finds projects by a part of their names, and `cursor` continues after a page.',
  project_conventions:
    'Use it after instrumenting a program: `missing` names the attributes to set for inputs, output, usage and so on, and `unknown_attributes` lists attributes that are kept but not understood.',
  project_stats:
    'Sums traces, objects, tables and files. Set an `include_…` field to false to skip its sum. Spans are stored as calls, so their own size is 0.',
  refs_read_batch:
    'Takes at most 1000 refs, also of several projects, and follows paths into values. If objects never existed, it gives 404 with `missing_object_digests`; a path that leads nowhere gives null, and refs to calls or tables give 400. With `allow_missing` all of them give null. The SDKs use it to resolve refs.',
  runtime_apply:
    'Creates or updates a Provider object and one ProviderModel object per model; sending the same body again changes nothing. Use the `playground_id` of the answer as the model of a completion. Names that clash with other objects, and addresses that the operator does not allow, give 400.',
}

const PAGE = 'Needs no key: the page contains no data and reads it with the session of the person signed in.'

const SERVICE = {
  docs: 'Shows every operation with its fields and a form to try it. Needs no key.',
  get_caller_location:
    'Returns `ip` from the query, or the address of the caller; `location` is always null.',
  account_query:
    'It is no GraphQL server: any other query gives 400. The Python SDK sends these queries when it starts. `project` and `upsertModel` need a right to the project and register it if the key may write there.',
  read_root:
    'For load balancers and monitoring; needs no key. If the store does not answer, it gives 503. One check per second serves all callers.',
  openapi: 'For code generators; needs no key. The extension `x-right` is the right that a key needs.',
  projects_info:
    'Clients that compute digests of objects with refs need these ids. The key must be allowed to read every project; a project need not have data. At most 1000 projects.',
  server_info:
    'The Python SDK reads it when it starts, and turns itself off if it is older than the minimum; the minimum is 0.0.0, so none does. Needs no key.',
  read_version: 'Returns the version of the running program. Needs no key.',
  masking_query:
    'Lists the rules in the order in which they are tried; where two match, the earlier one says what the match becomes. `wider` are those of the entity and of everybody, which hold in the scope too, after its own; HEDDLE_SENSITIVE_DATA is among them.',
  masking_save:
    'Replaces all rules of the scope. They hold in this process at once and in all within 10 s, for what is stored from then on; what is stored stays as it is, which `heddle erase` can change. A pattern that RE2 does not take, that matches the empty text, or that is too large when its repetitions are written out is a 400 that says so.',
  masking_delete: 'Takes all rules of the scope back. What they have masked stays masked.',
  masking_preview:
    'Tries rules on the texts of the newest calls, each up to 100,000 characters, and shows where the first differences are. What other rules have masked before is masked already. Needs a key that administers the project, since examples are shown as they are.',
  masking_counts:
    'Sums of matches by day and rule, of all processes; what was counted in the last 10 s may be missing. A call that is sent again is counted again.',
  audit_query:
    'An entry is what somebody did, with the lines of the log that tell of it; `outcome` is `unknown` while it runs, and for ever if its process ended before it said. A key that administers an entity or project asks for that `scope`; `*` needs one that administers everything.',
  audit_export:
    'Streams the lines as they are in the log: a begin and an end for most of what was done. As `jsonl` they have their hashes, so that a copy of everything can be checked; `cef` is for SIEMs. The export itself is in the log.',
  audit_verify:
    'Reads the whole log, and needs a key that administers everything. `heads` in the answer are the ends of chains: noted elsewhere and sent along later, they show what was cut off since. `heddle audit verify` does the same.',
  session_close:
    'Ends this session and removes its cookie. Other sessions go on. If a provider opened it and has an address to sign out at, `continue_at` leads there.',
  session_close_one: 'Ends it within 10 seconds, in whichever browser it is. `/sessions` lists the ids.',
  sessions_close: 'Ends the sessions in all browsers, within 10 seconds; a key itself still works.',
  sessions_list:
    'A session lasts 30 days, or as long as the settings of its provider say. A request with a key instead of a session gets an empty list.',
  sign_in_ways:
    'The sign-in page shows them. With `error`, the code that a failed sign-in left in the address of the page, it answers a sentence for it. Needs no key.',
  sign_in_start:
    'Sets a cookie that lasts a quarter of an hour, and answers 303 to the provider, with PKCE, a state and a nonce that fit this browser alone. Needs no key.',
  sign_in_finish:
    'Takes the code that a provider sent the browser back with, once, from the browser that asked; checks the signature, issuer, audience, nonce and time of the ID token; opens a session and goes on to where it began. Whatever fails leads to the sign-in page with a code. Needs no key.',
  sign_in_email:
    'Always answers the same, before anything is looked up. If the address belongs to an active user, is invited, or is of a domain that the operator lets in, a link is sent to it that works once, within a quarter of an hour; at most five to an address in that time. Callers that ask too often get 429. Needs no key.',
  sign_in_link:
    'Uses up the link and sets the cookie of a session; `next` is where the browser was to go. One that was used before or has expired gives 401. Needs no key.',
  sign_in_logout:
    'For providers: OpenID Connect Back-Channel Logout 1.0. Ends the sessions that the signed `logout_token` names, by its session or its subject. Needs no key.',
  session_open:
    'Sets a cookie that lasts 30 days and has the rights of the key. A code works once, within a day; an unknown key or code gives 401, and a request from another site 403. Programs send their key with each request instead.',
  session_read:
    'The pages read it when they load, for the rights and the CSRF token. Without a live session it gives 401.',
  call_page: `The SDKs print links to this address. ${PAGE}`,
  landing: PAGE,
  trace_page: `Addresses below it show the calls, objects, evaluations and so on of the project. ${PAGE}`,
  share_page: `Whoever has the link sees what it shows, signed in or not. ${PAGE}`,
  web_file: 'Pages load these files themselves; needs no key.',
}

const TABLES = {
  table_create:
    'Rows must be objects; the answer has the digest of the table and of each row, in order. A wrong `expected_digest` gives 409. For large tables, SDKs upload the rows in parts and join them with `/table/create_from_digests`.',
  table_create_from_digests:
    'Create the rows first, with `/table/create`. The digest of the table is the same as if all rows were sent at once, so the request can be repeated.',
  table_query:
    'Returns rows with their position in the table, from 0; the SDKs page with `limit` and `offset`. `row_digests` selects rows, and `sort_by` takes paths into the rows. For whole tables, use `/table/query_stream`.',
  table_query_stats: 'Use `/table/query_stats_batch` for several tables, or for the size in bytes.',
  table_query_stats_batch:
    'Takes at most 1000 digests and answers in their order; sizes are null unless `include_storage_size` is set.',
  table_query_stream:
    'Takes the same request as `/table/query` and returns one row per line, so tables of any size can be read. An unknown table gives an empty body.',
  table_update:
    'The base table stays as it is, and the new one has its own digest. `updated_row_digests` has one digest per update; for a pop, it is that of the removed row. An unknown base gives 404, an index out of range 400.',
}

const THREADS = {
  sql: 'The query is one SELECT in the language of ClickHouse, over the tables that `/sql/tables` lists; the guide SQL has examples. It reads the rows of this project alone, and changes nothing. With `format` the answer is JSON lines, CSV, Parquet or Arrow. Errors of the query give 400 with a code (`SQL_SYNTAX`, `SQL_FORBIDDEN`, `SQL_UNKNOWN_TABLE`, `SQL_UNKNOWN_COLUMN`, `SQL_PARAM`, `SQL_INVALID`), the first three with `line` and `column`. Limits give 502 or 504.',
  sql_tables: 'The same for all projects.',
  threads_query_stream:
    'A thread is the calls with one `thread_id`, such as a conversation. Only turns count, that is calls whose id is their turn id; percentiles of their durations are in milliseconds. An unknown sort field gives 400.',
  threads_query:
    'Totals are those of the calls of a thread that began within the times, whichever call of it `with_calls` found. A usage that several spans tell of counts once; the cost is null where no model has a price. The thread that was active last comes first.',
  end_users_query:
    'An end user is a person whom the observed application serves, as the attributes of its calls name them (`user_id`, `user.id` and other spellings); users of this service are others. Calls that name nobody are left out. Who was seen last comes first.',
}

const TRAINING_JOBS = {
  preview_training_data:
    'Takes the `training_data` of a job, reads up to `rows` rows, and creates nothing. Use it before a job, to see examples as the model will get them and the number of skipped rows by reason.',
  cancel_training_job:
    'Returns the job. A waiting job is not started, and a running one is stopped. The last event of a cancelled job is `training_failed` with the message `cancelled`.',
  resume_training_job:
    'Returns the job. A job is paused by its `check`; the event `training_paused` has the reason and both curves. Checks before this are not looked at again.',
  create_rl_training_job:
    'With `reward` groups may come without rewards: a judge gives them before the job is trained, and each group has an event. With `check` the model is watched, and the job may be paused. Send either trajectory groups with rewards, or `training_data`; groups whose rewards are all equal teach nothing. Each request makes another job, which is queued; follow it by its events. An unknown model gives 404, and too many open jobs or too much data of an entity give 429.',
  create_sft_training_job:
    'Send either `training_data_url` or `training_data`; each request makes another job. With `config.method` `dpo` the data is pairs of answers, and the job learns to prefer the chosen ones; with `kto` it is single answers that are good or bad. Data that cannot be read or has no conversation gives 400. An unknown model gives 404, and too many open jobs or too much data of an entity give 429.',
  get_training_job:
    'The status is `queued`, `running`, `completed`, `failed` or `cancelled`; a completed job has the step of its checkpoint. An unknown job, or one that the key may not read, gives 404.',
  get_training_job_metrics:
    'Made for plots: `after` returns only newer steps, and `format=csv` gives a table. The same numbers are in the `gradient_step` events.',
  get_training_job_events:
    'The training client polls it with `after`, the id of the last event it has, until `training_ended` or `training_failed`. The checkpoint is stored before `training_ended`. An unknown `after` gives 400.',
  get_training_job_logs:
    'For people who want to know why a job waits or failed; programs read the events. Poll it with `after`, the id of the last line.',
  get_training_job_samples:
    'Returns the data as it was stored with the job. Samples above 1 MiB have their size only. Page with `after`, the `last_id` of the previous page.',
  list_training_jobs:
    'The newest job comes first, unless `order` is `asc`; filter by model, project, kind or status. Page with `after`, the `last_id` of the previous page.',
}

const TRAINED_MODELS = {
  create_model:
    'Returns the id that training jobs take. An existing name gives 409, unless `return_existing` is set and the base model is the same. The training client calls it when it registers a model.',
  delete_model_checkpoints:
    'Steps without a checkpoint are listed in `not_found_steps` and are no error, so the request can be repeated.',
  delete_model:
    'Answers 204. An unknown model gives 404. Workers remove the files of its checkpoints afterwards.',
  download_checkpoint:
    'The archive is a LoRA adapter that PEFT loads onto the base model. A step without a checkpoint gives 404.',
  get_model:
    'Takes the id of a trainable model. An unknown one, or one that the key may not read, gives 404.',
  list_model_checkpoints:
    'The newest checkpoint is `order=desc&limit=1`; the training client asks this way for the current step. A model that was not trained has none: step 0 is the base model. `limit` is 1 to 100, default 20.',
  list_trained_models:
    'Includes models that are registered and not yet trained. For the models that chat completions serve, use `/v1/models`.',
  log: '`split` is required, a text of your own such as `train` or `val`. Answers 204, and stores the groups again if the request is repeated. An unknown model gives 404.',
  get_served_model:
    'Use it to check a name before a chat completion. It returns the smallest context length of the nodes that serve the model.',
  list_models:
    'OpenAI clients call it to offer a choice of models. Trained models are not listed; `/v1/preview/models` has them.',
}

const HEALTH = {
  health_check:
    'It checks nothing else; `/v1/system-check` does. Probes without a key use `/livez` and `/readyz` on the metrics port.',
  system_check:
    'Answers 200 even if something is down: then `status` is `degraded`, and the `detail` of the check says what to start. It takes a few seconds at most.',
}

/** By operation id; a test compares them with the declared routes. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...AGENTS,
  ...ANNOTATION_QUEUES,
  ...BATCHES,
  ...CALLS,
  ...CHAT,
  ...COSTS,
  ...DATASET_SOURCES,
  ...VERSIONS,
  ...RECORDS,
  ...EVALUATION_RUNS,
  ...EVALUATIONS,
  ...FEEDBACK,
  ...FILES,
  ...INFERENCE,
  ...KEYS,
  ...PEOPLE,
  ...SCIM,
  ...LANGFUSE,
  ...LANGFUSE_DATASETS,
  ...OBJECTS,
  ...OPENTELEMETRY,
  ...PROJECTS,
  ...SERVICE,
  ...TABLES,
  ...THREADS,
  ...TRAINING_JOBS,
  ...TRAINED_MODELS,
  ...HEALTH,
}
