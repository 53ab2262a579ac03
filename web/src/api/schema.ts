// Made by scripts/web-types.mjs from the routes; `make docs` makes it anew.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the projects, as a page
         * @description Needs no key: the page contains no data and reads it with the session of the person signed in.
         */
        get: operations["landing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{entity}/{project}/r/call/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a call and its trace, as a page
         * @description The SDKs print links to this address. Needs no key: the page contains no data and reads it with the session of the person signed in.
         */
        get: operations["call_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{entity}/{project}/weave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a project, as a page
         * @description Addresses below it show the calls, objects, evaluations and so on of the project. Needs no key: the page contains no data and reads it with the session of the person signed in.
         */
        get: operations["trace_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/agent-versions/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the versions of an agent
         * @description Each version comes with its counts, tokens, errors and times, the one that ran last first. Spans without a version count as the version "", and an unknown agent has no versions. The Python SDK calls it in `get_agent_versions`.
         */
        post: operations["agent_versions_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/conversations/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the turns of a conversation, the newest ones, in their order
         * @description A turn is a trace with a span of this conversation; an unknown conversation has none. `limit` (at most 50) and `offset` count turns from the newest, and the page itself starts with its oldest turn. The Python SDK calls it in `get_agent_turns`.
         */
        post: operations["agent_conversation_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/conversations/spans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the newest 200 spans of each conversation, and what was said about it
         * @description Takes several conversations at once, for example to draw an overview of them, and returns one entry for each id in the order of the request; an unknown id has no spans. Use `/agents/conversations/chat` to read what was said.
         */
        post: operations["agent_conversation_spans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/otel/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store spans of agents like /otel/v1/traces; those without a project are accepted and dropped
         * @description The Python SDK's own exporter sends here. A request that would give 400 on `/otel/v1/traces`, such as one without a project, gives an empty 200, so that the program is not disturbed.
         */
        post: operations["export_agent_trace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the agents of a project with what their spans add up to
         * @description An agent is a name that spans carry; counts, tokens and durations cover the spans with that name, not the spans below them without one. The agent that ran last comes first, and costs are null unless `include_costs` is set. The Python SDK calls it in `get_agents`.
         */
        post: operations["agents_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find messages of agents by a part of their text, the newest first
         * @description The search is case-sensitive and covers user, assistant and system messages, and the arguments and results of tools. `limit` (at most 1000) and `offset` count messages, the answer groups them by conversation, and previews have at most 500 characters unless `truncate_content` is false. The Python SDK calls it in `search_agents`.
         */
        post: operations["agent_search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/spans/custom-attrs/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the attributes that spans of agents have beside those of conventions, and their types
         * @description Use it to learn which `custom_attrs_…` keys filters, groups and columns of `/agents/spans/query` can use. The attribute of the most spans comes first; `has_more` says whether there are others after this page. The Python SDK calls it in `get_agent_custom_attributes`.
         */
        post: operations["agent_custom_attrs_schema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/spans/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List spans of agents, or groups of them with aggregates
         * @description Without `group_by` the answer lists spans in `spans`, the newest first; with it, `groups` has one row for each group and its measures. Messages, instructions and tool contents are included only with `include_details`, and `limit` is at most 10,000. The Python SDK calls it in `get_agent_spans`.
         */
        post: operations["agent_spans_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/spans/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Aggregate spans of agents over time, by groups, or by ranges of a value
         * @description Each row has a bucket, the groups and the value of every metric, also for empty time buckets; `columns` describes the columns. With `group_by`, the range is at most 31 days and the groups with the most spans are returned, up to `group_limit`. The Python SDK calls it in `get_agent_span_stats`.
         */
        post: operations["agent_spans_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/traces/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show one turn: what was said and done in a trace
         * @description Returns the messages, tool calls and starts of agents in the trace, in their order, with the tokens and costs of the whole trace. An unknown trace has no messages. The Python SDK calls it in `get_agent_turn`.
         */
        post: operations["agent_trace_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the aliases of a project
         * @description The list is sorted and has each name once, `latest` included if the project has objects.
         */
        get: operations["aliases_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a queue of calls for people to annotate
         * @description The scorer refs name the questions that annotators answer. Each request makes a new queue, even if the name exists. The answer has the id that the other routes take.
         */
        post: operations["annotation_queue_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/{queue_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a queue
         * @description An unknown queue gives 404; a deleted one gives 404 with `deleted_at`.
         */
        get: operations["annotation_queue_read"];
        /**
         * Change the name, description or scorers of a queue
         * @description Changes only the fields that are sent; null leaves a field as it is. The answer is the whole queue. An unknown or deleted queue gives 404.
         */
        put: operations["annotation_queue_update"];
        post?: never;
        /**
         * Delete a queue; its items stay
         * @description The answer is the queue with the time of its deletion. Afterwards lists omit it, and reading or changing it gives 404 with `deleted_at`.
         */
        delete: operations["annotation_queue_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/{queue_id}/annotators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what each annotator of a queue has done, and how far annotators agree
         * @description Returns how many items each annotator has completed, skipped and begun. For each question with answers by two or more annotators on the same item, it returns the share of equal answers and Krippendorff's alpha.
         */
        get: operations["annotation_queue_annotators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/{queue_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add calls to a queue; unknown calls are skipped, queued ones counted as duplicates
         * @description Takes at most 1000 call ids; the order of the request is the order in the queue. `display_fields` says which parts of the calls annotators see. Sending the same calls again adds nothing; an unknown or deleted queue gives 404.
         */
        post: operations["annotation_queue_add_calls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/{queue_id}/items/{item_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the caller's progress on an item
         * @description Each annotator has a state of their own for each item. From `unstarted` or `in_progress` an item can become `in_progress`, `completed` or `skipped`; the last two are final, and any other move gives 400. Setting the same state again changes nothing.
         */
        post: operations["annotation_queue_item_progress_update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/{queue_id}/items/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the items of a queue and their state, oldest first
         * @description The state of an item is the newest of any annotator, or with `own_progress` the caller's own; it is `unstarted` if nobody has begun. With `include_position`, items have their position in the filtered order, from 1.
         */
        post: operations["annotation_queue_items_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List queues, newest first
         * @description Returns one queue per line, without deleted ones. `name` finds a part of the name in upper or lower case, and `sort_by` changes the order.
         */
        post: operations["annotation_queues_query_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/annotation_queues/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the items of queues, and how many are completed or skipped
         * @description An item counts as completed if any annotator completed or skipped it. The answer has an entry for each id, in the order of the request; an unknown queue has no items. At most 1000 ids.
         */
        post: operations["annotation_queues_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/ingestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store traces, observations and scores of a Langfuse SDK before version 3; its public key is the entity/project, its secret key an API key
         * @description The answer is 207 with the ids of the stored events and the errors of the others. Events of the same trace or observation are combined, and later ones win; a request has at most 10,000 events and 4 MiB. Newer SDKs send OpenTelemetry to `/api/public/otel/v1/traces`.
         */
        post: operations["langfuse_ingestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/otel/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store spans of a Langfuse SDK: its public key is the entity/project, its secret key an API key
         * @description Set Langfuse's host to the address of this service, the public key to the entity/project, and the secret key to an API key.
         */
        post: operations["export_trace_of_langfuse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a call; it is visible once its start has arrived
         * @description Until the start arrives, no read returns the call. A second end replaces the first. To log a call that is already finished, send it whole to `/v2/{entity}/{project}/calls/complete`.
         */
        post: operations["call_end"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a call by id; null if it does not exist
         * @description Use it for one call whose id you know; unknown and deleted calls give 200 with null, never 404. To read many calls, use `/calls/stream_query` with `call_ids`.
         */
        post: operations["call_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a call; its end may arrive before or after
         * @description A missing `id` or `trace_id` is generated; the answer has both. A second start with the same id replaces the start's fields and keeps the end.
         */
        post: operations["call_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the display name of a call; "" removes it
         * @description Changes nothing but the display name; null gives 400. An unknown call gives 200, too. The request can be repeated.
         */
        post: operations["call_update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/call/upsert_batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start and end several calls, in any order and for several projects; all or none
         * @description The answer lists the id and trace id of each start and an empty object for each end, in the order of the batch. The Python SDK uses it if `WEAVE_USE_CALLS_COMPLETE` is false. The key needs the right to write to every project of the batch.
         */
        post: operations["call_start_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete calls and their descendants
         * @description Takes at most 1000 ids, more give 413, and also deletes their descendants in the same trace. `num_deleted` counts the requested ids, even unknown ones, and the descendants. The request can be repeated.
         */
        post: operations["calls_delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List calls of a project as one JSON value, for clients before 0.51
         * @description Takes the same request as `/calls/stream_query`, which newer clients use. The answer holds all calls in one list.
         */
        post: operations["calls_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/query_stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count matching calls and their size
         * @description Takes the filter and the query of `/calls/stream_query`. With a `limit` it stops counting there, and `has_more` says whether the limit was reached; a limit below 1 gives 400.
         */
        post: operations["calls_query_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Score calls: the server runs the scorers and stores the results as feedback on the calls
         * @description Takes at most 1000 calls and 50 scorers. If any call is missing, it gives 404 with `missing_calls` and nothing is scored. The answer is empty and comes at once; results appear as feedback on the calls.
         */
        post: operations["calls_score"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count calls, errors, latency and usage by model over time, for at most 31 days
         * @description Returns buckets for charts: usage by time and model, and call counts, errors and latency by time. Keys are the aggregation and the metric, such as `sum_total_tokens` or `p95_latency_ms`. A longer range or an unknown time zone gives 422.
         */
        post: operations["call_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/stream_query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List calls of a project as JSON lines
         * @description The main way to read calls: fields of `filter` must all match, any value of a list is enough, and `query` adds conditions on any field. Lines are in the order of `started_at`, unless `sort_by` says otherwise, and there is no limit unless you set one. The SDKs and the pages use it; if nothing matches, the body is empty.
         */
        post: operations["calls_query_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sum the usage of calls and their descendants, by model
         * @description Takes at most 1000 call ids and sums usage over each call and everything below it, also if those calls would not match a filter. An unknown id has no usage. If the calls' traces have more calls than `limit`, it gives 400 instead of a partial sum.
         */
        post: operations["calls_usage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/completions/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a chat with a provider's model or one served here, and log it as a call
         * @description Uses the provider's secret stored here, so callers don't need it. If the provider fails, the answer is 200 with `response.error`, and the call is logged with the error. A model without a provider gives 404 and logs nothing, as does `track_llm_call: false`.
         */
        post: operations["completions_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/completions/create_stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream a chat completion: first {_meta}, if it is logged, then the chunks of the answer
         * @description Takes the same request as `/completions/create` and returns the chunks as JSON lines while the model writes. If the provider fails, the last line is `{error}`. The pages use it.
         */
        post: operations["completions_create_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cost/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set prices of models for a project, per token
         * @description Takes at most 1000 prices, and stores them again if the request is repeated. A new price does not replace older ones: a call takes a price whose `effective_date` is not after its start, those of the project before default ones, then the newest. Costs are computed when calls are read, so a price with an earlier date changes those of stored calls.
         */
        post: operations["cost_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cost/defaults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say of when the default prices are, which calls cost whose model has no price in the project
         * @description Use it to tell users that prices may be out of date. An operator loads a newer list with `heddle costs load`.
         */
        post: operations["cost_defaults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cost/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete prices of a project by id; the query may use $eq, $in and $or of id
         * @description Unknown ids are ignored. Default prices can't be deleted; set a price of the project instead, which comes first.
         */
        post: operations["cost_purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cost/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List a project's own prices
         * @description Does not include default prices. The ids in the answer are those that `/cost/purge` takes.
         */
        post: operations["cost_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset_sources/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link rows of a dataset to what they were made from; all links are stored, or none
         * @description Takes at most 1000 pairs of a row and a source, more give 413. Calls and spans must exist, else 400; conversations are not checked. Linking a pair again keeps its id and updates its metadata.
         */
        post: operations["dataset_sources_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset_sources/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List what rows of a dataset were made from
         * @description Takes row digests and returns their links, in the order of rows and sources; rows without links have none.
         */
        post: operations["dataset_sources_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dataset_sources/source_datasets_query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the datasets whose rows were made from calls, spans or conversations
         * @description Use it to show on a call in which datasets it is. Each row of the answer is one source and one dataset, with at most 100 row digests and their total number; sources without links are omitted. At most 1000 sources.
         */
        post: operations["source_datasets_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Browse the API reference
         * @description Shows every operation with its fields and a form to try it. Needs no key.
         */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluations/evaluate_model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an evaluation that the server runs
         * @description Checks everything at once, answers with the id of the root call, and lets workers run the evaluation; read `/evaluations/status` for its progress. The model must be an LLMStructuredCompletionModel object, since the server runs no Python code. A server without evaluation workers gives 503, and each request starts a new run.
         */
        post: operations["evaluate_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluations/rescore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Score the predictions of a run again with other scorers, as a new run; the model is not called
         * @description Answers at once with the id of the new run, which workers fill. The source run must have ended, else 400. Use it to try scorers without paying for predictions again.
         */
        post: operations["rescore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evaluations/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the status of an evaluation, run by the server or an SDK
         * @description The status is `not_found`, `running` with completed and total rows, `failed` with the error, or `complete` with the output. A call that is not the root of an evaluation gives 400.
         */
        post: operations["evaluation_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the tags and ratings of scorers over time
         * @description For charts of agent monitors and scorers: each bucket has the number of each tag, and the number and sum of each rating. The range starts at `after_ms` and ends before `before_ms`; empty buckets are omitted.
         */
        post: operations["feedback_aggregate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/batch/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add several pieces of feedback; all or none
         * @description Takes at most 10,000 pieces of feedback, also for several projects; the answers are in the same order. The Python SDK uses it, and falls back to `/feedback/create` where it is missing.
         */
        post: operations["feedback_create_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add feedback on a call or another ref
         * @description Notes need `payload.note`, reactions `payload.emoji` with exactly one emoji; types of your own take any object, and the answer has the payload as it was stored. Sending feedback with the same id and ref again changes nothing. An unknown queue, or a payload that does not fit its type, gives 400.
         */
        post: operations["feedback_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/payload_schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the paths of payloads of at most 31 days, and the kinds of their values
         * @description Use it to learn which `json_path` values `/feedback/stats` can aggregate. It reads a sample, so rare paths may be absent.
         */
        post: operations["feedback_payload_schema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete feedback by id; the query may use $eq of id, and $or of these
         * @description Unknown ids are ignored, so the request can be repeated.
         */
        post: operations["feedback_purge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List feedback of a project
         * @description `query` filters by any column or by `payload.<path>`. `total_count` ignores `limit` and `offset`. To get feedback together with calls, use `/calls/stream_query` with `include_feedback`.
         */
        post: operations["feedback_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace feedback
         * @description Deletes the feedback `feedback_id` and stores the new one, which gets a new id unless you send one. An unknown `feedback_id` is no error: the new feedback is stored.
         */
        post: operations["feedback_replace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Aggregate values inside payloads over time, for at most 31 days
         * @description Each metric names a path in the payload and how to aggregate it; `window_stats` covers the whole range. Keys are the aggregation and the path with `_` instead of dots.
         */
        post: operations["feedback_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/file/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a file, or a part of it with a Range header
         * @description Returns the bytes as they were uploaded. An unknown digest gives 404; a range beyond the end gives 416.
         */
        post: operations["file_content"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/file/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a file under the digest of its bytes
         * @description Takes a multipart form of at most 64 MiB with `project_id` and `file`. Equal bytes give the same digest, so an upload can be repeated. A wrong `expected_digest` gives 409.
         */
        post: operations["file_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/download/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file at an address that `/files/resolve_url` gave
         * @description Needs no key: the signature in the address is the right to read the file. A wrong or expired signature gives 403; get a new address. Browsers save the file instead of showing it.
         */
        get: operations["file_download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/query_stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sum the sizes of the distinct files of a project
         * @description A file that was stored several times counts once.
         */
        post: operations["files_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/resolve_url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give addresses from which files can be read without a key for an hour
         * @description Use it to hand a file to a browser or a program that has no key; anybody with the address can read the file. A file that does not exist, or a ref to another project, gives 404. At most 1000 files.
         */
        post: operations["files_resolve_url"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geolocate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the caller's address; the location is never looked up
         * @description Returns `ip` from the query, or the address of the caller; `location` is always null.
         */
        get: operations["get_caller_location"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graphql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the three account queries of the SDKs: `project`, `upsertModel` and `viewer`
         * @description It is no GraphQL server: any other query gives 400. The Python SDK sends these queries when it starts. `project` and `upsertModel` need a right to the project and register it if the key may write there.
         */
        post: operations["account_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the service with a real write and read of its store
         * @description For load balancers and monitoring; needs no key. If the store does not answer, it gives 503. One check per second serves all callers.
         */
        get: operations["read_root"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/image/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate images with a provider's model, store them as files, and log it as a call
         * @description If the provider fails, the answer is 200 with `response.error`. A model without a provider gives 404, and nothing is logged. A request that is repeated with the same `X-Weave-Retry-Id` header gets the first answer, so images are not paid for twice.
         */
        post: operations["image_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inference/analysis/analyzer/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the current load of the running models
         * @description Use it to see how busy models are: running requests, tokens per second and time to the first token. The list is empty if no node is up.
         */
        get: operations["model_analysis_listing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inference/router/aggregator/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that are available now
         * @description Each entry has the context length and whether trained adapters are supported. The list is empty if no node is up. `/v1/models` lists the same models for OpenAI clients.
         */
        get: operations["router_model_listing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inference/vendor/v2/hardware": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hardware of the model nodes that are up
         * @description Each entry is one kind of accelerator and its number per node, with the number of such nodes. The list is empty if no node is up.
         */
        get: operations["hardware_listing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live keys whose rights all lie in what this key administers, oldest first
         * @description Shows ids, users, labels and rights, never the keys themselves. Revoked keys are omitted.
         */
        get: operations["keys_list"];
        put?: never;
        /**
         * Make a key with rights over what this key administers; it is shown once
         * @description The caller must administer the scope of every grant. Only a hash of the key is stored: copy it from the answer. `trace_project` logs the chat completions of the key there, which the key must be allowed to write to.
         */
        post: operations["key_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key; it stops working, with its sessions, within 10 seconds
         * @description A key that is unknown, already revoked, or has rights beyond what this key administers, gives 404.
         */
        delete: operations["key_revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/link_to_registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a version of an object into a registry project, under its own name there
         * @description The key needs the right to read the object and to write to the registry project. The link stays on the version that the ref selects now, even if `latest` moves, and linking it again gives the same link. An unknown or deleted version gives 404.
         */
        post: operations["link_to_registry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/obj/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a version of an object; an equal value gives the same version
         * @description The SDKs publish prompts, models, datasets and ops here. The digest is computed from the value; `latest` moves to this version, and a deleted version with the same value comes back. A wrong `expected_digest` gives 409.
         */
        post: operations["obj_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/obj/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete versions of an object; without digests, all
         * @description If any named version is missing, the answer is 404 and nothing is deleted. `latest` moves to the version that was written last of those left. A later version does not reuse a deleted index.
         */
        post: operations["obj_delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/obj/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a version of an object by digest, `latest`, `v<index>` or alias
         * @description An unknown version gives 404; a deleted one gives 404 with `deleted_at`. To follow a path into the value, use `/refs/read_batch`.
         */
        post: operations["obj_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objs/{object_id}/aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set aliases of a version; each moves from the version it named before
         * @description An alias names one version of an object, for example `production`, and refs can use it instead of a digest. `latest` and `v<index>` are reserved and give 400. An unknown or deleted version gives 404.
         */
        put: operations["obj_set_aliases"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objs/{object_id}/aliases/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove aliases
         * @description Aliases that are not set are ignored. `latest` and `v<index>` are reserved and give 400.
         */
        post: operations["obj_remove_aliases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objs/{object_id}/versions/{digest}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Tag a version
         * @description A tag describes one version, and a version can have many; adding one again changes nothing. An unknown or deleted version gives 404. At most 100 tags.
         */
        put: operations["obj_add_tags"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objs/{object_id}/versions/{digest}/tags/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove tags from a version
         * @description Tags that are not set are ignored. An unknown or deleted version gives 404.
         */
        post: operations["obj_remove_tags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objs/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List versions of objects; the values in a list of the filter are alternatives
         * @description Deleted versions are omitted. Use `latest_only` for one version per object, and `metadata_only` for lists that do not show values. The default order is the time of creation.
         */
        post: operations["objs_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI 3.1 description of this interface
         * @description For code generators; needs no key. The extension `x-right` is the right that a key needs.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/otel/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store OTLP spans, as protobuf or JSON, uncompressed or with gzip, deflate or zstd
         * @description The header `project_id: entity/project`, or the resource attributes of the spans, name the project; with neither, the answer is 400. A span that is sent again replaces itself. Spans that cannot be stored are counted in `partialSuccess`, the others are stored.
         */
        post: operations["export_trace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project/conventions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say which conventions the newest spans of a project follow, and what none of them says
         * @description Use it after instrumenting a program: `missing` names the attributes to set for inputs, output, usage and so on, and `unknown_attributes` lists attributes that are kept but not understood.
         */
        post: operations["project_conventions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project/ingest_sampling_settings/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read which part of the traces of exporters is stored (HEDDLE_SAMPLE_RATE)
         * @description The operator sets it for the whole service; there is no route to change it.
         */
        post: operations["ingest_sampling_settings_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project/sensitive_data_settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read whether personal data is masked in calls as they arrive (HEDDLE_SENSITIVE_DATA)
         * @description The operator sets it for the whole service; there is no route to change it.
         */
        post: operations["sensitive_data_settings_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sum the stored bytes of a project; sizes that were not requested are 0
         * @description Sums traces, objects, tables and files. Set an `include_…` field to false to skip its sum. Spans are stored as calls, so their own size is 0.
         */
        post: operations["project_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project/ttl_settings/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read how many days a project keeps its calls
         * @description Returns what applies now: the own setting of the project, or the one of the operator. null keeps calls for ever.
         */
        post: operations["ttl_settings_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project/ttl_settings/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set how many days a project keeps its calls; older ones are deleted within the hour
         * @description A project can keep its calls shorter than the operator's setting, not longer; more days, or less than one, give 400. null removes the own setting.
         */
        post: operations["ttl_settings_update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects that this key may read, by name
         * @description The pages show this list. A project appears with its first write. At most 10,000 projects are returned.
         */
        get: operations["projects_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/refs/read_batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the values of refs to objects and ops, in order; null for deleted objects
         * @description Takes at most 1000 refs, also of several projects, and follows paths into values. If objects never existed, it gives 404 with `missing_object_digests`; a path that leads nowhere gives null, and refs to calls or tables give 400. The SDKs use it to resolve refs.
         */
        post: operations["refs_read_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the secrets of model providers in what this key administers, without values
         * @description Use it to choose the secret of a Provider object. An operator sets values with `heddle secrets set`; no route returns them.
         */
        get: operations["secrets_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/server_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which SDK versions work with this service
         * @description The Python SDK reads it when it starts, and turns itself off if it is older than the minimum; the minimum is 0.0.0, so none does. Needs no key.
         */
        get: operations["server_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/service/projects_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the internal ids of projects, in the requested order
         * @description Clients that compute digests of objects with refs need these ids. The key must be allowed to read every project; a project need not have data. At most 1000 projects.
         */
        post: operations["projects_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description The pages read it when they load, for the rights and the CSRF token. Without a live session it gives 401.
         */
        get: operations["session_read"];
        put?: never;
        /**
         * Sign in to the pages with a key, or with the one-time code of the start screen
         * @description Sets a cookie that lasts 30 days and has the rights of the key. A code works once, within a day; an unknown key or code gives 401, and a request from another site 403. Programs send their key with each request instead.
         */
        post: operations["session_open"];
        /**
         * Sign out
         * @description Ends this session and removes its cookie. Other sessions of the key go on.
         */
        delete: operations["session_close"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List where the pages are signed in with this session's key, the newest first
         * @description A session lasts 30 days. A request with a key instead of a session gets an empty list.
         */
        get: operations["sessions_list"];
        put?: never;
        post?: never;
        /**
         * Sign out everywhere: end all sessions of this session's key
         * @description Ends the sessions in all browsers, within 10 seconds; the key itself still works.
         */
        delete: operations["sessions_close"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a table; equal rows give the same table
         * @description Rows must be objects; the answer has the digest of the table and of each row, in order. A wrong `expected_digest` gives 409. For large tables, SDKs upload the rows in parts and join them with `/table/create_from_digests`.
         */
        post: operations["table_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/create_from_digests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a table from the digests of existing rows
         * @description Create the rows first, with `/table/create`. The digest of the table is the same as if all rows were sent at once, so the request can be repeated.
         */
        post: operations["table_create_from_digests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read rows of a table; an unknown table has none
         * @description Returns rows with their position in the table, from 0; the SDKs page with `limit` and `offset`. `row_digests` selects rows, and `sort_by` takes paths into the rows. For whole tables, use `/table/query_stream`.
         */
        post: operations["table_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/query_stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the rows of a table; an unknown table has none
         * @description Use `/table/query_stats_batch` for several tables, or for the size in bytes.
         */
        post: operations["table_query_stats"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/query_stats_batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count the rows of tables; missing tables are omitted
         * @description Takes at most 1000 digests and answers in their order; sizes are null unless `include_storage_size` is set.
         */
        post: operations["table_query_stats_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/query_stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream rows of a table
         * @description Takes the same request as `/table/query` and returns one row per line, so tables of any size can be read. An unknown table gives an empty body.
         */
        post: operations["table_query_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/table/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a table from another one: append, pop and insert rows, in this order
         * @description The base table stays as it is, and the new one has its own digest. `updated_row_digests` has one digest per update; for a pop, it is that of the removed row. An unknown base gives 404, an index out of range 400.
         */
        post: operations["table_update"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of a project
         * @description The list is sorted and has each tag once.
         */
        get: operations["tags_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/threads/stream_query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List threads of a project and statistics of their turns, as JSON lines
         * @description A thread is the calls with one `thread_id`, such as a conversation. Only turns count, that is calls whose id is their turn id; percentiles of their durations are in milliseconds. An unknown sort field gives 400.
         */
        post: operations["threads_query_stream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trace/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sum the usage of each matching call and its descendants, by model
         * @description Takes a filter instead of ids, and sums only over matching calls: a descendant that does not match does not count. `unfinished_call_ids` lists calls that still run, whose usage can grow. If more calls match than `limit`, it gives 400 instead of a partial sum.
         */
        post: operations["trace_usage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a chat; with `stream`, as server-sent events
         * @description Works with OpenAI's SDKs: set their base address to this interface's `/v1`. `model` is a base model or a trained one, such as `artifact:///entity/project/name:step5`; an unknown model gives 404. With the header `x-heddle-project: entity/project`, or a key that has a trace project, the completion is logged as a call, and the header `x-heddle-call-id` of the answer has its id.
         */
        post: operations["create_chat_completion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same
         * @description For clients that end addresses with a slash; there is no redirect.
         */
        post: operations["create_chat_completion_slash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that this process responds
         * @description It checks nothing else; `/v1/system-check` does. Probes without a key use `/livez` and `/readyz` on the metrics port.
         */
        get: operations["health_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make log records that are events of models and agents part of their spans, in any order; drop others
         * @description Some instrumentations send prompts and answers as log records; a record joins the span with its trace id and span id. Use it together with one of the routes for traces.
         */
        post: operations["export_logs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept metrics and drop them, so that exporters that also send metrics report no errors
         * @description Nothing is stored.
         */
        post: operations["export_metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the base models that are available now
         * @description OpenAI clients call it to offer a choice of models. Trained models are not listed; `/v1/preview/models` has them.
         */
        get: operations["list_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a model by the name that chat completions take: a base model, or a trained one and its checkpoints
         * @description Use it to check a name before a chat completion. It returns the smallest context length of the nodes that serve the model.
         */
        get: operations["get_served_model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that this key may read, oldest first
         * @description Includes models that are registered and not yet trained. For the models that chat completions serve, use `/v1/models`.
         */
        get: operations["list_trained_models"];
        put?: never;
        /**
         * Register a model for training; return_existing returns an existing one of that name
         * @description Returns the id that training jobs take. An existing name gives 409, unless `return_existing` is set and the base model is the same. The training client calls it when it registers a model.
         */
        post: operations["create_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/models/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a model
         * @description Takes the id of a trainable model. An unknown one, or one that the key may not read, gives 404.
         */
        get: operations["get_model"];
        put?: never;
        post?: never;
        /**
         * Delete a model and its checkpoints, and stop its jobs
         * @description Answers 204. An unknown model gives 404. Workers remove the files of its checkpoints afterwards.
         */
        delete: operations["delete_model"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/models/{model_id}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the checkpoints of a model by step
         * @description The newest checkpoint is `order=desc&limit=1`; the training client asks this way for the current step. A model that was not trained has none: step 0 is the base model. `limit` is 1 to 100, default 20.
         */
        get: operations["list_model_checkpoints"];
        put?: never;
        post?: never;
        /**
         * Delete checkpoints by step
         * @description Steps without a checkpoint are listed in `not_found_steps` and are no error, so the request can be repeated.
         */
        delete: operations["delete_model_checkpoints"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/models/{model_id}/checkpoints/{step}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a checkpoint: a PEFT folder as a tar archive; the step is a number, or `latest`
         * @description The archive is a LoRA adapter that PEFT loads onto the base model. A step without a checkpoint gives 404.
         */
        get: operations["download_checkpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/models/{model_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store trajectory groups without training on them
         * @description `split` is required, a text of your own such as `train` or `val`. Answers 204, and stores the groups again if the request is repeated. An unknown model gives 404.
         */
        post: operations["log"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/sft-training-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Train a model on conversations; the data is checked before the job is queued
         * @description Send either `training_data_url` or `training_data`; each request makes another job. Data that cannot be read or has no conversation gives 400. An unknown model gives 404, and too many open jobs or too much data of an entity give 429.
         */
        post: operations["create_sft_training_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-data/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the training data from a dataset or calls, and why rows are skipped
         * @description Takes the `training_data` of a job, reads up to `rows` rows, and creates nothing. Use it before a job, to see examples as the model will get them and the number of skipped rows by reason.
         */
        post: operations["preview_training_data"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs of all models that this key may read
         * @description The newest job comes first, unless `order` is `asc`; filter by model, project, kind or status. Page with `after`, the `last_id` of the previous page.
         */
        get: operations["list_training_jobs"];
        put?: never;
        /**
         * Train a model by reinforcement learning on trajectory groups
         * @description Send either trajectory groups with rewards, or `training_data`; groups whose rewards are all equal teach nothing. Each request makes another job, which is queued; follow it by its events. An unknown model gives 404, and too many open jobs or too much data of an entity give 429.
         */
        post: operations["create_rl_training_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs/{training_job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of a job
         * @description The status is `queued`, `running`, `completed`, `failed` or `cancelled`; a completed job has the step of its checkpoint. An unknown job, or one that the key may not read, gives 404.
         */
        get: operations["get_training_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs/{training_job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job; finished jobs stay unchanged
         * @description Returns the job. A waiting job is not started, and a running one is stopped. The last event of a cancelled job is `training_failed` with the message `cancelled`.
         */
        post: operations["cancel_training_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs/{training_job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a job, in order
         * @description The training client polls it with `after`, the id of the last event it has, until `training_ended` or `training_failed`. The checkpoint is stored before `training_ended`. An unknown `after` gives 400.
         */
        get: operations["get_training_job_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs/{training_job_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the log of a job: attempts, waits, errors
         * @description For people who want to know why a job waits or failed; programs read the events. Poll it with `after`, the id of the last line.
         */
        get: operations["get_training_job_logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs/{training_job_id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metrics of every gradient step, as JSON or CSV
         * @description Made for plots: `after` returns only newer steps, and `format=csv` gives a table. The same numbers are in the `gradient_step` events.
         */
        get: operations["get_training_job_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/preview/training-jobs/{training_job_id}/samples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a job is trained on: trajectory groups (RL) or conversations (SFT), in order
         * @description Returns the data as it was stored with the job. Samples above 1 MiB have their size only. Page with `after`, the `last_id` of the previous page.
         */
        get: operations["get_training_job_samples"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/system-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the store, Redis, queues, workers and nodes by using them
         * @description Answers 200 even if something is down: then `status` is `degraded`, and the `detail` of the check says what to start. It takes a few seconds at most.
         */
        get: operations["system_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store spans, as /otel/v1/traces does: what OTEL_EXPORTER_OTLP_ENDPOINT makes of this address
         * @description Set `OTEL_EXPORTER_OTLP_ENDPOINT` to the address of this service, and exporters send here.
         */
        post: operations["export_trace_at_root"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/call/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a call; 404 if its start is missing
         * @description The Python SDK uses it with `/v2/{entity}/{project}/call/start`. A second end replaces the first. Use `/call/end` if the end may arrive before the start.
         */
        post: operations["call_end_v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/call/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a call and show it as running
         * @description The Python SDK uses it for ops that should be visible while they run, such as evaluations. The answer has the id and the trace id.
         */
        post: operations["call_start_v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/calls/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log finished calls, all or none; existing ones are replaced
         * @description The Python SDK logs here by default, with start and end of a call in one object. Sending the same call again is safe: it replaces itself.
         */
        post: operations["calls_complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of every dataset as JSON lines, oldest first
         * @description Returns every version with its content, one per line, including those that SDKs created; `limit` and `offset` page. For the newest version of each object only, use `/objs/query` with `latest_only`.
         */
        get: operations["dataset_list"];
        put?: never;
        /**
         * Create a version of a dataset
         * @description Stores the rows as a table and a dataset object that refers to it. An existing name gets a new version, an equal value its existing version; the answer has the object's id, the digest and the number of the version.
         */
        post: operations["dataset_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/datasets/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete versions of a dataset; without digests, all
         * @description If any named version is missing, the answer is 404 and nothing is deleted; more than 100 names give 400. The rows stay in their table.
         */
        delete: operations["dataset_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/datasets/{object_id}/versions/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a dataset by digest, `latest`, `v<index>` or alias
         * @description An unknown version, or an object of another kind, gives 404; a deleted version gives 404 with `deleted_at`.
         */
        get: operations["dataset_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/eval_results/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the rows of runs and summarize the scores of each run
         * @description Rows are matched between runs by their digest, and each run has its trials of the row; the comparison page uses it. At least one run id is required, at most 100. With `include_summary`, each run also has the mean or the pass rate of each scorer.
         */
        post: operations["eval_results_query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/evaluation_runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs of evaluations, including those of SDKs, as JSON lines, oldest first
         * @description Filter by refs of evaluations, by models or by ids. `limit` and `offset` page.
         */
        get: operations["evaluation_run_list"];
        put?: never;
        /**
         * Start a run of an evaluation: the parent call of its predictions and scores
         * @description Use it to log an evaluation that your own program runs: start a run, log predictions and scores in it, then finish it; to let the server run the evaluation, use `/evaluations/evaluate_model`. The evaluation must exist, else 404. Each request starts a new run.
         */
        post: operations["evaluation_run_create"];
        /**
         * Delete runs and their descendants
         * @description Takes at most 1000 ids, as repeated `evaluation_run_ids` parameters; more give 413. Its predictions and scores are calls below it and are deleted with it. `num_deleted` counts the requested ids, even unknown ones, and the calls below them.
         */
        delete: operations["evaluation_run_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run of an evaluation
         * @description Returns the evaluation, the model, the status and the summary of the run. An unknown id gives 404.
         */
        get: operations["evaluation_run_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/evaluation_runs/{evaluation_run_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a run with the means of its scores; only once
         * @description Computes the mean of each score over the predictions of the run, stores them as its output, and adds the given summary. A run that has ended gives 400, an unknown one 404.
         */
        post: operations["evaluation_run_finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of every evaluation as JSON lines, oldest first
         * @description Returns every version with its content, one per line, including those that SDKs created; `limit` and `offset` page. For the newest version of each object only, use `/objs/query` with `latest_only`.
         */
        get: operations["evaluation_list"];
        put?: never;
        /**
         * Create a version of an evaluation
         * @description Stores which dataset is evaluated and which scorers are applied; they must exist, else 404. It runs nothing: `/evaluations/evaluate_model` or an SDK does. An existing name gets a new version, an equal value its existing version; the answer has the object's id, the digest and the number of the version.
         */
        post: operations["evaluation_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/evaluations/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete versions of an evaluation; without digests, all
         * @description If any named version is missing, the answer is 404 and nothing is deleted; more than 100 names give 400. Runs of the evaluation, its dataset and its scorers stay.
         */
        delete: operations["evaluation_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/evaluations/{object_id}/versions/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of an evaluation by digest, `latest`, `v<index>` or alias
         * @description An unknown version, or an object of another kind, gives 404; a deleted version gives 404 with `deleted_at`.
         */
        get: operations["evaluation_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of every model as JSON lines, oldest first
         * @description Returns every version with its content, one per line, including those that SDKs created; `limit` and `offset` page. For the newest version of each object only, use `/objs/query` with `latest_only`.
         */
        get: operations["model_list"];
        put?: never;
        /**
         * Create a version of a model
         * @description Stores the source code and the attributes of a model as an object, for evaluations to refer to. The models that are trained and served have their own routes under `/v1`. An existing name gets a new version, an equal value its existing version; the answer has the object's id, the digest and the number of the version.
         */
        post: operations["model_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/models/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete versions of a model; without digests, all
         * @description If any named version is missing, the answer is 404 and nothing is deleted; more than 100 names give 400. Calls and runs of the model stay.
         */
        delete: operations["model_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/models/{object_id}/versions/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a model by digest, `latest`, `v<index>` or alias
         * @description An unknown version, or an object of another kind, gives 404; a deleted version gives 404 with `deleted_at`.
         */
        get: operations["model_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/ops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of every op as JSON lines, oldest first
         * @description Returns every version with its content, one per line, including those that SDKs created; `limit` and `offset` page. For the newest version of each object only, use `/objs/query` with `latest_only`.
         */
        get: operations["op_list"];
        put?: never;
        /**
         * Create a version of an op
         * @description Stores the source code of a function, for calls and scorers to refer to. SDKs create ops themselves with `/obj/create`. An existing name gets a new version, an equal value its existing version; the answer has the object's id, the digest and the number of the version.
         */
        post: operations["op_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/ops/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete versions of an op; without digests, all
         * @description If any named version is missing, the answer is 404 and nothing is deleted; more than 100 names give 400. Calls of the op stay.
         */
        delete: operations["op_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/ops/{object_id}/versions/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of an op by digest, `latest`, `v<index>` or alias
         * @description An unknown version, or an object of another kind, gives 404; a deleted version gives 404 with `deleted_at`.
         */
        get: operations["op_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/predictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List predictions, including those of SDKs, as JSON lines, oldest first
         * @description With `evaluation_run_id`, returns only the predictions of that run. `limit` and `offset` page.
         */
        get: operations["prediction_list"];
        put?: never;
        /**
         * Log a prediction of a model, in a run or by itself
         * @description Outside of a run, a prediction is a trace of its own. A missing model or run gives 404, and a run that has ended gives 400. Each request logs another prediction.
         */
        post: operations["prediction_create"];
        /**
         * Delete predictions
         * @description Takes at most 1000 ids, as repeated `prediction_ids` parameters; more give 413. Scores are calls beside their prediction and stay. `num_deleted` counts the requested ids, even unknown ones, and the calls below them.
         */
        delete: operations["prediction_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/predictions/{prediction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a prediction
         * @description Returns the model, the inputs, the output and the run, if it is part of one. An unknown id gives 404.
         */
        get: operations["prediction_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/predictions/{prediction_id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a prediction's row of a run, with its output and scores; only once
         * @description Call it when all scores of the prediction are there. Outside of runs it does nothing. A prediction that is already finished gives 400, an unknown one 404.
         */
        post: operations["prediction_finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/runtimes/{runtime_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Describe an OpenAI-compatible endpoint and all its models; those left out are deleted
         * @description Creates or updates a Provider object and one ProviderModel object per model; sending the same body again changes nothing. Use the `playground_id` of the answer as the model of a completion. Names that clash with other objects, and addresses that the operator does not allow, give 400.
         */
        put: operations["runtime_apply"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/scorers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of every scorer as JSON lines, oldest first
         * @description Returns every version with its content, one per line, including those that SDKs created; `limit` and `offset` page. For the newest version of each object only, use `/objs/query` with `latest_only`.
         */
        get: operations["scorer_list"];
        put?: never;
        /**
         * Create a version of a scorer
         * @description Stores a scorer and the two ops that it consists of: one scores, one summarizes. An existing name gets a new version, an equal value its existing version; the answer has the object's id, the digest and the number of the version.
         */
        post: operations["scorer_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/scorers/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete versions of a scorer; without digests, all
         * @description If any named version is missing, the answer is 404 and nothing is deleted; more than 100 names give 400. Scores that it gave and its ops stay.
         */
        delete: operations["scorer_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/scorers/{object_id}/versions/{digest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a scorer by digest, `latest`, `v<index>` or alias
         * @description An unknown version, or an object of another kind, gives 404; a deleted version gives 404 with `deleted_at`.
         */
        get: operations["scorer_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scores, including those of SDKs, as JSON lines, oldest first
         * @description With `evaluation_run_id`, returns only the scores of that run. `limit` and `offset` page.
         */
        get: operations["score_list"];
        put?: never;
        /**
         * Score a prediction: log a call beside it and feedback on it
         * @description A missing prediction, scorer or run gives 404; a prediction of another run gives 400. If the prediction is already finished, its row gets the score as well. Each request logs another score.
         */
        post: operations["score_create"];
        /**
         * Delete scores
         * @description Takes at most 1000 ids, as repeated `score_ids` parameters; more give 413. The predictions stay. `num_deleted` counts the requested ids, even unknown ones, and the calls below them.
         */
        delete: operations["score_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{entity}/{project}/scores/{score_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a score
         * @description Returns the scorer, the value and the run, if it is part of one. An unknown id gives 404.
         */
        get: operations["score_read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the version of the service
         * @description Returns the version of the running program. Needs no key.
         */
        get: operations["read_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a script or style of a page
         * @description Pages load these files themselves; needs no key.
         */
        get: operations["web_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentChatAgentStart: {
            model: string | null;
            status: ("UNSET" | "OK" | "ERROR") | null;
            system_instructions: string | null;
            tool_definitions: string | null;
        };
        AgentChatAssistantMessage: {
            content_refs: string[];
            duration_ms: number | null;
            input_cost_usd: number | null;
            input_tokens: number | null;
            model: string | null;
            output_cost_usd: number | null;
            output_tokens: number | null;
            reasoning_content: string | null;
            reasoning_tokens: number | null;
            status: ("UNSET" | "OK" | "ERROR") | null;
            text: string;
            total_cost_usd: number | null;
        };
        AgentChatContextCompacted: {
            compaction_items_after: number | null;
            compaction_items_before: number | null;
            compaction_summary: string | null;
        };
        AgentChatFeedback: {
            annotation_ref: string | null;
            call_ref: string | null;
            created_at: string | null;
            creator: string | null;
            feedback_type: string;
            id: string;
            payload: {
                [key: string]: unknown;
            };
            platform_user_id: string | null;
            runnable_ref: string | null;
            scorer_rating_confidences: {
                [key: string]: number;
            };
            scorer_rating_reasons: {
                [key: string]: string;
            };
            scorer_ratings: {
                [key: string]: number;
            };
            scorer_tag_confidences: {
                [key: string]: number;
            };
            scorer_tag_reasons: {
                [key: string]: string;
            };
            scorer_tags: string[];
            trigger_ref: string | null;
            /** @description the same as platform_user_id */
            wb_user_id: string | null;
            weave_ref: string;
        };
        AgentChatMessage: {
            agent_handoff: null;
            agent_name: string | null;
            agent_start: components["schemas"]["AgentChatAgentStart"] | null;
            agent_version: string | null;
            assistant_message: components["schemas"]["AgentChatAssistantMessage"] | null;
            context_compacted: components["schemas"]["AgentChatContextCompacted"] | null;
            error_type: string | null;
            /** @description null: it was not asked for */
            feedback: components["schemas"]["AgentChatFeedback"][] | null;
            span_id: string | null;
            started_at: string | null;
            status_code: ("UNSET" | "OK" | "ERROR") | null;
            status_message: string | null;
            tool_call: components["schemas"]["AgentChatToolCall"] | null;
            /** @enum {string} */
            type: "user_message" | "assistant_message" | "tool_call" | "agent_handoff" | "agent_start" | "context_compacted";
            user_message: components["schemas"]["AgentChatUserMessage"] | null;
        };
        AgentChatToolCall: {
            content_refs: string[];
            duration_ms: number | null;
            status: ("UNSET" | "OK" | "ERROR") | null;
            tool_arguments: string | null;
            tool_name: string | null;
            tool_result: string | null;
        };
        AgentChatUserMessage: {
            content_refs: string[];
            text: string;
        };
        AgentConversationChatReq: {
            conversation_id: string;
            /** @default false */
            include_feedback?: boolean;
            /**
             * @description list tools that a model asked for and no span ran
             * @default false
             */
            include_model_tool_calls?: boolean;
            /** @default 50 */
            limit?: number;
            /** @default 0 */
            offset?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        AgentConversationChatRes: {
            conversation_id: string;
            /** @description null: it was not asked for */
            feedback: components["schemas"]["AgentChatFeedback"][] | null;
            has_more: boolean;
            limit: number;
            offset: number;
            total_cost_usd: number | null;
            total_turns: number;
            turns: components["schemas"]["AgentTraceChatRes"][];
        };
        AgentConversationMessagePreview: {
            /** @enum {string} */
            role: "user_message" | "assistant_message";
            text: string;
        };
        AgentConversationSpan: {
            duration_ms: number;
            operation_name: string;
            span_id: string;
            /** @enum {string} */
            status: "UNSET" | "OK" | "ERROR";
            trace_id: string;
        };
        AgentConversationSpanFeedback: {
            feedback_type: string;
            ratings: components["schemas"]["AgentConversationSpanRating"][];
            tags: string[];
            trace_id: string | null;
        };
        AgentConversationSpanRating: {
            confidence: number | null;
            name: string;
            reason: string | null;
            value: number;
        };
        AgentConversationSpans: {
            conversation_id: string;
            spans: components["schemas"]["AgentConversationSpan"][];
            spans_feedback: components["schemas"]["AgentConversationSpanFeedback"][];
        };
        AgentConversationSpansReq: {
            /** @default [] */
            conversation_ids?: string[];
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            started_after?: string | null;
            started_before?: string | null;
        };
        AgentConversationSpansRes: {
            conversations: components["schemas"]["AgentConversationSpans"][];
        };
        AgentCustomAttrSchemaItem: {
            key: string;
            /** @enum {string} */
            source: "custom_attrs_string" | "custom_attrs_int" | "custom_attrs_float" | "custom_attrs_bool";
            span_count: number;
            /** @enum {string} */
            value_type: "string" | "int" | "float" | "bool";
        };
        AgentCustomAttrsSchemaReq: {
            /** @default 200 */
            limit?: number;
            /** @default 0 */
            offset?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            query?: components["schemas"]["Query"] | null;
            started_after?: string | null;
            started_before?: string | null;
        };
        AgentCustomAttrsSchemaRes: {
            attributes: components["schemas"]["AgentCustomAttrSchemaItem"][];
            has_more: boolean;
            limit: number;
            offset: number;
        };
        AgentGroupByRef: {
            /** @description default: the column, or the key */
            alias?: string | null;
            key: string;
            /**
             * @default field
             * @enum {string}
             */
            source?: "field" | "column" | "custom_attrs_string" | "custom_attrs_int" | "custom_attrs_float" | "custom_attrs_bool";
        };
        AgentInsightFilter: {
            /** @default false */
            exclude?: boolean;
            /** @enum {string} */
            field: "intent_category" | "intent_sentiment" | "failure_category" | "failure_severity" | "intent_topic_id" | "failure_topic_id";
            values: string[];
        };
        AgentSchema: {
            agent_name: string;
            error_count: number;
            first_seen: string | null;
            invocation_count: number;
            last_seen: string | null;
            project_id: string;
            span_count: number;
            total_cost_usd: number | null;
            total_duration_ms: number;
            total_input_tokens: number;
            total_output_tokens: number;
        };
        AgentSearchConversationResult: {
            agent_name: string;
            conversation_id: string;
            conversation_name: string;
            /** Format: date-time */
            last_activity: string;
            matched_messages: components["schemas"]["AgentSearchMatchedMessage"][];
        };
        AgentSearchMatchedMessage: {
            content_digest: string;
            content_preview: string;
            role: string;
            span_id: string;
            /** Format: date-time */
            started_at: string;
            trace_id: string;
        };
        AgentSearchReq: {
            agent_name?: string | null;
            conversation_id?: string | null;
            /**
             * @description of messages
             * @default 20
             */
            limit?: number;
            /** @default 0 */
            offset?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            provider_name?: string | null;
            /**
             * @description part of a text, as it is written; empty: every message
             * @default
             */
            query?: string;
            request_model?: string | null;
            roles?: ("" | "user" | "assistant" | "system" | "tool" | "tool_call" | "tool_result")[] | null;
            started_after?: string | null;
            started_before?: string | null;
            trace_id?: string | null;
            /** @default true */
            truncate_content?: boolean;
        };
        AgentSearchRes: {
            results: components["schemas"]["AgentSearchConversationResult"][];
            total_conversations: number;
        };
        AgentSignalFilter: {
            /** @default [] */
            ratings?: components["schemas"]["RatingCondition"][];
            /** @default [] */
            tags?: string[];
        };
        AgentSortBy: {
            /**
             * @default desc
             * @enum {string}
             */
            direction?: "asc" | "desc";
            field: string;
        };
        AgentSpanGroupDistributionBin: {
            count: number;
            index: number;
            max: number;
            min: number;
        };
        AgentSpanGroupDistributionItem: {
            alias: string;
            bins: components["schemas"]["AgentSpanGroupDistributionBin"][];
            key: string;
            missing_count: number;
            other_count: number;
            present_count: number;
            source: string;
            total_count: number;
            /** @enum {string} */
            value_type: "string" | "int" | "float" | "bool";
            values: components["schemas"]["AgentSpanGroupDistributionValue"][];
        };
        AgentSpanGroupDistributionSpec: {
            alias: string;
            /** @default 12 */
            bins?: number;
            /** @default 5 */
            top_n?: number;
            value: components["schemas"]["AgentSpanValueRef"];
        };
        AgentSpanGroupDistributionValue: {
            count: number;
            value: string;
        };
        AgentSpanGroupFilter: {
            group_by?: components["schemas"]["AgentGroupByRef"][] | null;
            max?: (number | string) | null;
            measure: components["schemas"]["AgentSpanMeasureSpec"];
            min?: (number | string) | null;
        };
        AgentSpanGroupRow: {
            agent_names: string[];
            agent_versions: string[];
            conversation_count: number;
            conversation_names: string[];
            distributions: {
                [key: string]: components["schemas"]["AgentSpanGroupDistributionItem"];
            };
            error_count: number;
            first_message: components["schemas"]["AgentConversationMessagePreview"] | null;
            first_seen: string | null;
            group_keys: {
                [key: string]: string | number | boolean | null;
            };
            invocation_count: number;
            last_message: components["schemas"]["AgentConversationMessagePreview"] | null;
            last_seen: string | null;
            metrics: {
                [key: string]: string | number | boolean | null;
            };
            provider_names: string[];
            request_models: string[];
            span_count: number;
            total_cache_creation_input_tokens: number;
            total_cache_read_input_tokens: number;
            total_cost_usd: number | null;
            total_duration_ms: number;
            total_input_cost_usd: number | null;
            total_input_tokens: number;
            total_output_cost_usd: number | null;
            total_output_tokens: number;
            total_reasoning_tokens: number;
        };
        AgentSpanMeasureSpec: {
            /** @enum {string} */
            aggregation: "sum" | "avg" | "min" | "max" | "count" | "count_distinct" | "count_true" | "count_false";
            alias: string;
            filter?: components["schemas"]["Query"] | null;
            value?: components["schemas"]["AgentSpanValueRef"] | null;
            value_type?: ("datetime" | "number" | "boolean" | "string") | null;
        };
        AgentSpanSchema: {
            agent_description: string | null;
            agent_id: string | null;
            agent_name: string | null;
            agent_version: string | null;
            artifact_refs: string[];
            cache_creation_cost_usd: number | null;
            cache_creation_input_tokens: number | null;
            cache_read_cost_usd: number | null;
            cache_read_input_tokens: number | null;
            compaction_items_after: number | null;
            compaction_items_before: number | null;
            compaction_summary: string | null;
            content_refs: string[];
            conversation_id: string | null;
            conversation_name: string | null;
            custom_attrs_bool: {
                [key: string]: boolean;
            };
            custom_attrs_float: {
                [key: string]: number;
            };
            custom_attrs_int: {
                [key: string]: number;
            };
            custom_attrs_string: {
                [key: string]: string;
            };
            ended_at: string | null;
            error_type: string | null;
            eval_evaluation_name: string | null;
            eval_example_id: string | null;
            eval_kind: string | null;
            eval_predict_and_score_call_id: string | null;
            eval_row_digest: string | null;
            eval_run_id: string | null;
            eval_trial_index: number | null;
            finish_reasons: string[];
            input_cost_usd: number | null;
            input_messages: components["schemas"]["NormalizedMessage"][];
            input_tokens: number | null;
            object_refs: string[];
            operation_name: string | null;
            output_cost_usd: number | null;
            output_messages: components["schemas"]["NormalizedMessage"][];
            output_tokens: number | null;
            output_type: string | null;
            parent_call_id: string | null;
            parent_call_trace_id: string | null;
            parent_span_id: string | null;
            platform_run_id: string | null;
            platform_run_step: number | null;
            platform_run_step_end: number | null;
            platform_user_id: string | null;
            project_id: string;
            provider_name: string | null;
            raw_span_dump: string | null;
            reasoning_content: string | null;
            reasoning_tokens: number | null;
            request_choice_count: number | null;
            request_frequency_penalty: number | null;
            request_max_tokens: number | null;
            request_model: string | null;
            request_presence_penalty: number | null;
            request_seed: number | null;
            request_stop_sequences: string[];
            request_temperature: number | null;
            request_top_p: number | null;
            response_id: string | null;
            response_model: string | null;
            server_address: string | null;
            server_port: number | null;
            span_id: string;
            span_kind: ("UNSPECIFIED" | "INTERNAL" | "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER") | null;
            span_name: string | null;
            started_at: string | null;
            status_code: ("UNSET" | "OK" | "ERROR") | null;
            status_message: string | null;
            system_instructions: string[];
            tool_call_arguments: string | null;
            tool_call_id: string | null;
            tool_call_result: string | null;
            tool_definitions: string | null;
            tool_description: string | null;
            tool_name: string | null;
            tool_type: string | null;
            total_cost_usd: number | null;
            trace_id: string;
            wb_run_id: string | null;
            wb_run_step: number | null;
            wb_run_step_end: number | null;
            /** @description the same as platform_user_id */
            wb_user_id: string | null;
        };
        AgentSpansQueryReq: {
            /** @default [] */
            custom_attr_columns?: components["schemas"]["AgentSpanValueRef"][];
            /** @description empty: spans are listed, else groups of them */
            group_by?: components["schemas"]["AgentGroupByRef"][] | null;
            /** @default [] */
            group_distributions?: components["schemas"]["AgentSpanGroupDistributionSpec"][];
            /** @default [] */
            group_filters?: components["schemas"]["AgentSpanGroupFilter"][];
            /** @default false */
            include_costs?: boolean;
            /** @default false */
            include_details?: boolean;
            /** @default [] */
            insight_filters?: components["schemas"]["AgentInsightFilter"][];
            /** @default 100 */
            limit?: number;
            /** @default [] */
            measures?: components["schemas"]["AgentSpanMeasureSpec"][];
            /** @default 0 */
            offset?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            query?: components["schemas"]["Query"] | null;
            signal_filters?: components["schemas"]["AgentSignalFilter"] | null;
            sort_by?: components["schemas"]["AgentSortBy"][] | null;
            started_after?: string | null;
            started_before?: string | null;
        };
        AgentSpansQueryRes: {
            groups: components["schemas"]["AgentSpanGroupRow"][];
            spans: components["schemas"]["AgentSpanSchema"][];
            total_count: number;
        };
        AgentSpanStatsColumn: {
            aggregation: string | null;
            metric: string | null;
            name: string;
            /** @enum {string} */
            role: "time" | "bucket" | "group" | "metric";
            /** @enum {string} */
            value_type: "datetime" | "number" | "boolean" | "string";
        };
        AgentSpanStatsMetricSpec: {
            /**
             * @description default: sum of numbers, else count
             * @default []
             */
            aggregations?: ("sum" | "avg" | "min" | "max" | "count" | "count_distinct" | "count_true" | "count_false")[];
            alias: string;
            /** @default [] */
            percentiles?: number[];
            value: components["schemas"]["AgentSpanValueRef"];
            /** @enum {string} */
            value_type: "datetime" | "number" | "boolean" | "string";
        };
        AgentSpanStatsNumericBucketSpec: {
            /** @default value */
            alias?: string;
            /** @default 24 */
            bins?: number;
            group_by?: components["schemas"]["AgentGroupByRef"][] | null;
            max?: number | null;
            measure?: components["schemas"]["AgentSpanMeasureSpec"] | null;
            min?: number | null;
            /** @constant */
            type: "number";
            value?: components["schemas"]["AgentSpanValueRef"] | null;
        };
        AgentSpanStatsReq: {
            bucket_by?: (components["schemas"]["AgentSpanStatsNumericBucketSpec"] | components["schemas"]["AgentSpanStatsTimeBucketSpec"]) | null;
            /** @description default: now */
            end?: string | null;
            /** @description seconds; default: chosen by the length of the time */
            granularity?: number | null;
            group_by?: components["schemas"]["AgentGroupByRef"][] | null;
            /** @default [] */
            group_filters?: components["schemas"]["AgentSpanGroupFilter"][];
            /** @default 50 */
            group_limit?: number;
            /** @default [] */
            insight_filters?: components["schemas"]["AgentInsightFilter"][];
            /** @default [] */
            metrics?: components["schemas"]["AgentSpanStatsMetricSpec"][];
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            query?: components["schemas"]["Query"] | null;
            signal_filters?: components["schemas"]["AgentSignalFilter"] | null;
            /** Format: date-time */
            start: string;
            /**
             * @description an IANA time zone
             * @default UTC
             */
            timezone?: string;
        };
        AgentSpanStatsRes: {
            /** @enum {string} */
            bucket_type: "time" | "number";
            columns: components["schemas"]["AgentSpanStatsColumn"][];
            /** Format: date-time */
            end: string;
            granularity: number | null;
            rows: {
                [key: string]: string | number | boolean | null;
            }[];
            /** Format: date-time */
            start: string;
            timezone: string;
        };
        AgentSpanStatsTimeBucketSpec: {
            /**
             * @default time
             * @constant
             */
            type?: "time";
        };
        AgentSpanValueRef: {
            key: string;
            /**
             * @default field
             * @enum {string}
             */
            source?: "field" | "derived" | "custom_attrs_string" | "custom_attrs_int" | "custom_attrs_float" | "custom_attrs_bool";
        };
        AgentsQueryFilters: {
            agent_name?: string | null;
        };
        AgentsQueryReq: {
            filters?: components["schemas"]["AgentsQueryFilters"] | null;
            /** @default false */
            include_costs?: boolean;
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            offset?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            sort_by?: components["schemas"]["AgentSortBy"][] | null;
        };
        AgentsQueryRes: {
            agents: components["schemas"]["AgentSchema"][];
            total_count: number;
        };
        AgentTraceChatReq: {
            /** @default false */
            include_feedback?: boolean;
            /**
             * @description list tools that a model asked for and no span ran
             * @default false
             */
            include_model_tool_calls?: boolean;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            trace_id: string;
        };
        AgentTraceChatRes: {
            agent_name: string | null;
            agent_version: string | null;
            ended_at: string | null;
            /** @description null: it was not asked for */
            feedback: components["schemas"]["AgentChatFeedback"][] | null;
            messages: components["schemas"]["AgentChatMessage"][];
            platform_user_id: string | null;
            provider: string | null;
            root_span_name: string | null;
            started_at: string | null;
            status_code: ("UNSET" | "OK" | "ERROR") | null;
            total_cache_creation_input_tokens: number;
            total_cache_read_input_tokens: number;
            total_cost_usd: number | null;
            total_duration_ms: number | null;
            total_input_tokens: number;
            total_output_tokens: number;
            total_reasoning_tokens: number;
            trace_id: string;
            /** @description the same as platform_user_id */
            wb_user_id: string | null;
        };
        AgentVersionSchema: {
            agent_name: string;
            agent_version: string;
            error_count: number;
            first_seen: string | null;
            invocation_count: number;
            last_seen: string | null;
            project_id: string;
            span_count: number;
            total_cost_usd: number | null;
            total_duration_ms: number;
            total_input_tokens: number;
            total_output_tokens: number;
        };
        AgentVersionsQueryReq: {
            agent_name: string;
            /** @default false */
            include_costs?: boolean;
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            offset?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @description ignored: the one seen last goes first */
            sort_by?: components["schemas"]["AgentSortBy"][] | null;
        };
        AgentVersionsQueryRes: {
            total_count: number;
            versions: components["schemas"]["AgentVersionSchema"][];
        };
        /** @enum {string} */
        AggregationType: "sum" | "avg" | "min" | "max" | "count" | "count_true" | "count_false";
        AliasesListRes: {
            aliases: string[];
        };
        AndOperation: {
            $and: components["schemas"]["Operand"][];
        };
        AnnotationAgreementSchema: {
            /** @description the share of pairs of answers to an item that are equal */
            agreement: number;
            /** @description Krippendorff's alpha for nominal values; null if only one value was answered */
            alpha: number | null;
            /** @description of the answers to a question */
            feedback_type: string;
            /** @description how many were answered by two annotators or more */
            items: number;
        };
        AnnotationQueueAddCallsBody: {
            call_ids: string[];
            display_fields: string[];
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        AnnotationQueueAddCallsRes: {
            added_count: number;
            duplicates: number;
        };
        AnnotationQueueAnnotatorsRes: {
            agreement: components["schemas"]["AnnotationAgreementSchema"][];
            annotators: components["schemas"]["AnnotatorProgressSchema"][];
        };
        AnnotationQueueCreateReq: {
            /** @default  */
            description?: string;
            name: string;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            scorer_refs: string[];
        };
        AnnotationQueueCreateRes: {
            id: string;
        };
        AnnotationQueueDeleteRes: {
            queue: components["schemas"]["AnnotationQueueSchema"];
        };
        AnnotationQueueItemProgressUpdateBody: {
            annotation_state: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        AnnotationQueueItemSchema: {
            added_by: string | null;
            /** @enum {string} */
            annotation_state: "unstarted" | "in_progress" | "completed" | "skipped";
            annotator_user_id: string | null;
            call_ended_at: string | null;
            call_id: string;
            call_op_name: string;
            /** Format: date-time */
            call_started_at: string;
            call_trace_id: string;
            /** Format: date-time */
            created_at: string;
            created_by: string;
            deleted_at: string | null;
            display_fields: string[];
            id: string;
            position_in_queue: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            queue_id: string;
            /** Format: date-time */
            updated_at: string;
        };
        AnnotationQueueItemsFilter: {
            added_by?: string | null;
            annotation_states?: ("unstarted" | "in_progress" | "completed" | "skipped")[] | null;
            call_id?: string | null;
            call_op_name?: string | null;
            call_trace_id?: string | null;
            id?: string | null;
        };
        AnnotationQueueItemsQueryBody: {
            /** @default null */
            filter?: components["schemas"]["AnnotationQueueItemsFilter"] | null;
            /** @default false */
            include_position?: boolean;
            /** @default null */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description Items have the caller's own state, not the newest of any annotator.
             * @default false
             */
            own_progress?: boolean;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        AnnotationQueueItemsQueryRes: {
            items: components["schemas"]["AnnotationQueueItemSchema"][];
        };
        AnnotationQueueReadRes: {
            queue: components["schemas"]["AnnotationQueueSchema"];
        };
        AnnotationQueueSchema: {
            /** Format: date-time */
            created_at: string;
            created_by: string;
            deleted_at: string | null;
            description: string;
            id: string;
            name: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            scorer_refs: string[];
            /** Format: date-time */
            updated_at: string;
        };
        AnnotationQueuesQueryReq: {
            /** @default null */
            limit?: number | null;
            /**
             * @description Part of the name, case-insensitive.
             * @default null
             */
            name?: string | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        AnnotationQueuesStatsReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            queue_ids: string[];
        };
        AnnotationQueuesStatsRes: {
            stats: components["schemas"]["AnnotationQueueStatsSchema"][];
        };
        AnnotationQueueStatsSchema: {
            completed_items: number;
            queue_id: string;
            total_items: number;
        };
        AnnotationQueueUpdateBody: {
            description?: string | null;
            name?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            scorer_refs?: string[] | null;
        };
        AnnotationQueueUpdateRes: {
            queue: components["schemas"]["AnnotationQueueSchema"];
        };
        AnnotatorProgressSchema: {
            completed_items: number;
            in_progress_items: number;
            skipped_items: number;
            user_id: string;
            username: string | null;
        };
        AnnotatorQueueItemsProgressUpdateRes: {
            item: components["schemas"]["AnnotationQueueItemSchema"];
        };
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            grants: components["schemas"]["Grant"][];
            /** @description this request is made with it, or with its session */
            is_current: boolean;
            key_id: string;
            label: string;
            /** @description where its chat completions are logged */
            trace_project: string | null;
            user_id: string;
            username: string;
        };
        CallBatchEndMode: {
            /**
             * @default end
             * @constant
             */
            mode?: "end";
            req: components["schemas"]["CallEndReq"];
        };
        CallBatchStartMode: {
            /**
             * @default start
             * @constant
             */
            mode?: "start";
            req: components["schemas"]["CallStartReq"];
        };
        CallCreateBatchReq: {
            batch: (components["schemas"]["CallBatchStartMode"] | components["schemas"]["CallBatchEndMode"])[];
        };
        CallCreateBatchRes: {
            res: (components["schemas"]["CallStartRes"] | components["schemas"]["CallEndRes"])[];
        };
        CallEndReq: {
            end: components["schemas"]["EndedCallSchemaForInsert"];
        };
        CallEndRes: Record<string, never>;
        CallEndV2Req: {
            end: components["schemas"]["EndedCallSchemaForInsertWithStartedAt"];
        };
        CallEndV2Res: Record<string, never>;
        CallMetricSpec: {
            /**
             * @default [
             *       "sum"
             *     ]
             */
            aggregations?: components["schemas"]["AggregationType"][];
            /** @enum {string} */
            metric: "latency_ms" | "call_count" | "error_count";
            /** @default [] */
            percentiles?: number[];
        };
        CallReadReq: {
            id: string;
            /** @default false */
            include_costs?: boolean | null;
            /** @default false */
            include_storage_size?: boolean | null;
            /** @default false */
            include_total_storage_size?: boolean | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        CallReadRes: {
            call: components["schemas"]["CallSchema"] | null;
        };
        CallSchema: {
            attributes: {
                [key: string]: unknown;
            };
            deleted_at: string | null;
            display_name: string | null;
            ended_at: string | null;
            exception: string | null;
            expire_at: string | null;
            id: string;
            inputs: {
                [key: string]: unknown;
            };
            op_name: string;
            output: unknown;
            parent_id: string | null;
            platform_run_id: string | null;
            platform_run_step: number | null;
            platform_run_step_end: number | null;
            platform_user_id: string | null;
            platform_username?: string | null;
            project_id: string;
            /** Format: date-time */
            started_at: string;
            storage_size_bytes: number | null;
            summary: {
                [key: string]: unknown;
            } | null;
            thread_id: string | null;
            total_storage_size_bytes: number | null;
            trace_id: string;
            turn_id: string | null;
            wb_run_id: string | null;
            wb_run_step: number | null;
            wb_run_step_end: number | null;
            wb_user_id: string | null;
            wb_username?: string | null;
        };
        CallsDeleteReq: {
            call_ids: string[];
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        CallsDeleteRes: {
            num_deleted: number;
        };
        CallsFilter: {
            /** @default null */
            call_ids?: string[] | null;
            /** @default null */
            input_refs?: string[] | null;
            /**
             * @description names or refs of ops; `:*` at the end means any version
             * @default null
             */
            op_names?: string[] | null;
            /** @default null */
            output_refs?: string[] | null;
            /** @default null */
            parent_ids?: string[] | null;
            /**
             * @description entity/project/run, or just the run
             * @default null
             */
            platform_run_ids?: string[] | null;
            /** @default null */
            platform_user_ids?: string[] | null;
            /**
             * @description an empty list matches nothing
             * @default null
             */
            thread_ids?: string[] | null;
            /** @default null */
            trace_ids?: string[] | null;
            /** @default null */
            trace_roots_only?: boolean | null;
            /**
             * @description an empty list matches nothing
             * @default null
             */
            turn_ids?: string[] | null;
        };
        CallsQueryReq: {
            /**
             * @description a dotted path selects its whole column. Values over 1 MiB are omitted unless their column is named here
             * @default null
             */
            columns?: string[] | null;
            /**
             * @description cuts texts within inputs, output, attributes and summary after so many bytes, for lists that show how values begin; values over 64 KiB with their texts cut are omitted
             * @default null
             */
            cut_texts_at?: number | null;
            /**
             * @description paths whose values are refs
             * @default null
             */
            expand_columns?: string[] | null;
            filter?: components["schemas"]["CallsFilter"] | null;
            /** @default false */
            include_costs?: boolean | null;
            /** @default false */
            include_feedback?: boolean | null;
            /** @default false */
            include_storage_size?: boolean | null;
            /** @default false */
            include_total_storage_size?: boolean | null;
            /** @default false */
            include_usernames?: boolean | null;
            /**
             * @description has no effect
             * @default false
             */
            latest_only?: boolean;
            /**
             * @description null: no limit; negative numbers are refused
             * @default null
             */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description omits values over 1 MiB of the named columns, too
             * @default false
             */
            omit_large_values?: boolean | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            query?: components["schemas"]["Query"] | null;
            /** @default true */
            return_expanded_column_values?: boolean | null;
            /**
             * @description default: started_at and id, ascending; an empty list: any order
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        CallsQueryRes: {
            calls: components["schemas"]["CallSchema"][];
        };
        CallsQueryStatsReq: {
            /** @default null */
            expand_columns?: string[] | null;
            filter?: components["schemas"]["CallsFilter"] | null;
            /** @default false */
            include_total_storage_size?: boolean | null;
            /**
             * @description the maximum to count
             * @default null
             */
            limit?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            query?: components["schemas"]["Query"] | null;
        };
        CallsQueryStatsRes: {
            count: number;
            has_more: boolean;
            total_storage_size_bytes: number | null;
        };
        CallsScoreReq: {
            call_ids: string[];
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            scorer_refs: string[];
        };
        CallsScoreRes: Record<string, never>;
        CallStartReq: {
            start: components["schemas"]["StartedCallSchemaForInsert"];
        };
        CallStartRes: {
            id: string;
            trace_id: string;
        };
        CallStartV2Req: {
            start: components["schemas"]["StartedCallSchemaForInsert"];
        };
        CallStartV2Res: {
            id: string;
            trace_id: string;
        };
        CallStatsReq: {
            /** @default null */
            call_metrics?: components["schemas"]["CallMetricSpec"][] | null;
            /**
             * @description default: now
             * @default null
             */
            end?: string | null;
            filter?: components["schemas"]["CallsFilter"] | null;
            /**
             * @description bucket size in seconds; default: depends on the time range
             * @default null
             */
            granularity?: number | null;
            /**
             * @description one bucket for each of the largest groups, with its name or user id as `group` and the name of the user as `group_name`, and one of all others, with null
             * @default null
             */
            group_by?: ("op" | "user") | null;
            /** @default 10 */
            group_limit?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** Format: date-time */
            start: string;
            /**
             * @description an IANA time zone; buckets start at its midnight
             * @default UTC
             */
            timezone?: string;
            /** @default null */
            usage_metrics?: components["schemas"]["UsageMetricSpec"][] | null;
        };
        CallStatsRes: {
            call_buckets: {
                [key: string]: unknown;
            }[];
            /** Format: date-time */
            end: string;
            granularity: number;
            /** Format: date-time */
            start: string;
            timezone: string;
            usage_buckets: {
                [key: string]: unknown;
            }[];
        };
        CallsUpsertCompleteReq: {
            batch: components["schemas"]["CompletedCallSchemaForInsert"][];
        };
        CallsUpsertCompleteRes: Record<string, never>;
        CallsUsageReq: {
            call_ids: string[];
            /** @default false */
            include_costs?: boolean;
            /**
             * @description fails if a trace has more calls
             * @default 10000
             */
            limit?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        CallsUsageRes: {
            /** @description by call id, then by model */
            call_usage: {
                [key: string]: {
                    [key: string]: components["schemas"]["LLMAggregatedUsage"];
                };
            };
            unfinished_call_ids: string[];
        };
        CallUpdateReq: {
            call_id: string;
            /** @default null */
            display_name?: string | null;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        CallUpdateRes: Record<string, never>;
        ChatCompletionRequest: {
            add_generation_prompt?: boolean | null;
            add_special_tokens?: boolean | null;
            allowed_token_ids?: number[] | null;
            backend_xargs?: {
                [key: string]: (string | number) | (string | number)[];
            } | null;
            bad_words?: string[] | null;
            cache_salt?: string | null;
            chat_template?: string | null;
            chat_template_kwargs?: {
                [key: string]: unknown;
            } | null;
            continue_final_message?: boolean | null;
            documents?: {
                [key: string]: unknown;
            }[] | null;
            echo?: boolean | null;
            frequency_penalty?: number | null;
            ignore_eos?: boolean | null;
            include_reasoning?: boolean | null;
            include_stop_str_in_output?: boolean | null;
            kv_transfer_params?: {
                [key: string]: unknown;
            } | null;
            length_penalty?: number | null;
            logit_bias?: {
                [key: string]: number;
            } | null;
            logprobs?: boolean | null;
            max_completion_tokens?: number | null;
            /** @deprecated */
            max_tokens?: number | null;
            messages: components["schemas"]["Message"][];
            min_p?: number | null;
            min_tokens?: number | null;
            mm_processor_kwargs?: {
                [key: string]: unknown;
            } | null;
            model?: string | null;
            n?: number | null;
            parallel_tool_calls?: boolean | null;
            presence_penalty?: number | null;
            priority?: number | null;
            prompt_logprobs?: number | null;
            reasoning_effort?: ("low" | "medium" | "high") | null;
            repetition_detection?: {
                max_pattern_size?: number | null;
                min_count?: number | null;
                min_pattern_size?: number | null;
            } | null;
            repetition_penalty?: number | null;
            request_id?: string | null;
            response_format?: components["schemas"]["ResponseFormat"] | null;
            return_token_ids?: boolean | null;
            return_tokens_as_token_ids?: boolean | null;
            seed?: number | null;
            skip_special_tokens?: boolean | null;
            spaces_between_special_tokens?: boolean | null;
            stop?: (string | string[]) | null;
            stop_token_ids?: number[] | null;
            stream?: boolean | null;
            stream_options?: {
                continuous_usage_stats?: boolean | null;
                include_usage?: boolean | null;
            } | null;
            structured_outputs?: components["schemas"]["StructuredOutputs"] | null;
            temperature?: number | null;
            tool_choice?: (("none" | "auto" | "required") | ({
                function: {
                    name: string;
                } & {
                    [key: string]: unknown;
                };
                /** @constant */
                type: "function";
            } & {
                [key: string]: unknown;
            })) | null;
            tools?: components["schemas"]["Tool"][] | null;
            top_k?: number | null;
            top_logprobs?: number | null;
            top_p?: number | null;
            truncate_prompt_tokens?: number | null;
            use_beam_search?: boolean | null;
            user?: string | null;
        };
        ChatCompletionResponse: {
            choices: components["schemas"]["Choice"][];
            created: number;
            id: string;
            kv_transfer_params?: {
                [key: string]: unknown;
            } | null;
            model: string;
            /** @constant */
            object: "chat.completion";
            prompt_logprobs?: ({
                [key: string]: {
                    decoded_token?: string | null;
                    logprob: number;
                    rank?: number | null;
                };
            } | null)[] | null;
            prompt_token_ids?: number[] | null;
            service_tier?: string | null;
            system_fingerprint?: string | null;
            usage: components["schemas"]["Usage"];
        };
        ChatExample: {
            messages: ({
                content: string | null;
                role: string;
            } & {
                [key: string]: unknown;
            })[];
            tools?: {
                [key: string]: unknown;
            }[];
        };
        Checkpoint: {
            id: string;
            metrics: components["schemas"]["Metrics"];
            /** @description from 1; 0 is the base model and is never listed */
            step: number;
        };
        CheckpointPage: {
            data: components["schemas"]["Checkpoint"][];
            /** @description empty if the page is */
            first_id: string;
            has_more: boolean;
            last_id: string;
            /** @constant */
            object: "list";
        };
        CheckpointsDelete: {
            steps: number[];
        };
        CheckpointsDeleteResult: {
            deleted_count: number;
            not_found_steps: number[];
        };
        Choice: {
            /** @description stop, length, tool_calls, repetition, abort */
            finish_reason: string | null;
            index: number;
            logprobs: components["schemas"]["ChoiceLogprobs"] | null;
            message: components["schemas"]["ChoiceMessage"];
            /** @description the stop string or token that ended it */
            stop_reason: number | string | null;
            token_ids?: number[] | null;
        };
        ChoiceLogprobs: {
            content: components["schemas"]["TokenLogprob"][] | null;
        };
        ChoiceMessage: {
            content: string | null;
            reasoning?: string | null;
            refusal: string | null;
            role: string;
            tool_calls?: components["schemas"]["ChoiceToolCall"][];
        };
        ChoiceToolCall: {
            function: {
                arguments: string;
                name: string;
            };
            id: string;
            /** @constant */
            type: "function";
        };
        CompletedCallSchemaForInsert: {
            attributes: {
                [key: string]: unknown;
            };
            /** @default null */
            display_name?: string | null;
            /**
             * Format: date-time
             * @description ISO 8601; without an offset it is UTC
             */
            ended_at: string;
            /** @default null */
            exception?: string | null;
            id: string;
            inputs: {
                [key: string]: unknown;
            };
            /** @description a plain name, or weave:///entity/project/op/name:digest */
            op_name: string;
            /** @default null */
            otel_dump?: {
                [key: string]: unknown;
            } | null;
            output?: unknown;
            /** @default null */
            parent_id?: string | null;
            /** @default null */
            platform_run_id?: string | null;
            /** @default null */
            platform_run_step?: number | null;
            /** @default null */
            platform_run_step_end?: number | null;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * Format: date-time
             * @description ISO 8601; without an offset it is UTC
             */
            started_at: string;
            summary: components["schemas"]["SummaryInsertMap"];
            /** @default null */
            thread_id?: string | null;
            trace_id: string;
            /** @default null */
            turn_id?: string | null;
        };
        CompletionsCreateReq: {
            conversation_id?: string | null;
            conversation_name?: string | null;
            /** @description not supported: use Provider objects */
            inference_route?: components["schemas"]["DedicatedInferenceRoute"] | null;
            inputs: components["schemas"]["CompletionsCreateRequestInputs"];
            parent_id?: string | null;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            source?: string | null;
            trace_id?: string | null;
            /** @default true */
            track_llm_call?: boolean | null;
        };
        CompletionsCreateRequestInputs: {
            api_version?: string | null;
            extra_headers?: {
                [key: string]: unknown;
            } | null;
            frequency_penalty?: number | null;
            function_call?: (string | {
                [key: string]: unknown;
            }) | null;
            functions?: unknown[] | null;
            logit_bias?: {
                [key: string]: unknown;
            } | null;
            logprobs?: boolean | null;
            max_completion_tokens?: number | null;
            max_tokens?: number | null;
            /** @default [] */
            messages?: unknown[];
            modalities?: unknown[] | null;
            /** @description custom::<provider>::<model> or <provider>/<model> of a Provider object, the id of a ProviderModel object, or a model served here */
            model: string;
            n?: number | null;
            parallel_tool_calls?: boolean | null;
            presence_penalty?: number | null;
            /** @description ref of a StringPrompt or MessagesPrompt object, whose messages come before `messages` */
            prompt?: string | null;
            reasoning_effort?: string | null;
            response_format?: {
                [key: string]: unknown;
            } | null;
            seed?: number | null;
            stop?: (string | unknown[]) | null;
            /** @description ignored; the route decides */
            stream?: boolean | null;
            temperature?: number | null;
            /** @description replace {name} in the messages */
            template_vars?: {
                [key: string]: unknown;
            } | null;
            /** @description seconds, up to the limit of this service */
            timeout?: (number | string) | null;
            tool_choice?: (string | {
                [key: string]: unknown;
            }) | null;
            tools?: unknown[] | null;
            top_logprobs?: number | null;
            top_p?: number | null;
            user?: string | null;
            vertex_credentials?: string | null;
        } & {
            [key: string]: unknown;
        };
        CompletionsCreateRes: {
            conversation_id: string | null;
            /** @description the model's answer, or {error: {code, message, status}} if the provider failed */
            response: {
                [key: string]: unknown;
            };
            /** @description the same */
            span_id: string | null;
            trace_id: string | null;
            /** @description null: not logged */
            weave_call_id: string | null;
        };
        ContainsOperation: {
            $contains: components["schemas"]["ContainsSpec"];
        };
        ContainsSpec: {
            case_insensitive?: boolean | null;
            input: components["schemas"]["Operand"];
            substr: components["schemas"]["Operand"];
        };
        ContentPart: {
            text?: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        ConvertOperation: {
            $convert: components["schemas"]["ConvertSpec"];
        };
        ConvertSpec: {
            input: components["schemas"]["Operand"];
            /** @enum {string} */
            to: "double" | "string" | "int" | "bool" | "exists";
        };
        CostCreateInput: {
            /** @default 0 */
            cache_creation_input_token_cost?: number;
            /** @default 0 */
            cache_read_input_token_cost?: number;
            completion_token_cost: number;
            /** @default USD */
            completion_token_cost_unit?: string | null;
            /**
             * Format: date-time
             * @description default: now
             * @default null
             */
            effective_date?: string | null;
            prompt_token_cost: number;
            /** @default USD */
            prompt_token_cost_unit?: string | null;
            /**
             * @description default: "default"
             * @default null
             */
            provider_id?: string | null;
        };
        CostCreateReq: {
            /** @description by the model's name in usage */
            costs: {
                [key: string]: components["schemas"]["CostCreateInput"];
            };
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        CostCreateRes: {
            /** @description price ids and their models */
            ids: [
                string,
                string
            ][];
        };
        CostDefaultsReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        CostDefaultsRes: {
            /** @description the day of the newest list; null if none was loaded */
            as_of: string | null;
            /** @description whether the list is older than 120 days */
            is_old: boolean;
            /** @description models that have a default price */
            models: number;
        };
        CostPurgeReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            query: components["schemas"]["Query"];
        };
        CostPurgeRes: Record<string, never>;
        CostQueryOutput: {
            cache_creation_input_token_cost: number | null;
            cache_read_input_token_cost: number | null;
            completion_token_cost: number | null;
            completion_token_cost_unit: string | null;
            effective_date: string | null;
            id: string | null;
            llm_id: string | null;
            prompt_token_cost: number | null;
            prompt_token_cost_unit: string | null;
            provider_id: string | null;
        };
        CostQueryReq: {
            /**
             * @description other fields are null; default: all
             * @default null
             */
            fields?: string[] | null;
            /** @default null */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            query?: components["schemas"]["Query"] | null;
            /**
             * @description default: in the order of creation
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        CostQueryRes: {
            results: components["schemas"]["CostQueryOutput"][];
        };
        CustomRuntimeApplyBody: {
            /**
             * @description name of a secret of this project
             * @default null
             */
            api_key_secret?: string | null;
            base_url: string;
            /** @default {} */
            headers?: {
                [key: string]: string;
            };
            runtime_ids: components["schemas"]["CustomRuntimeID"][];
        };
        CustomRuntimeApplyRes: {
            api_key_secret: string | null;
            base_url: string;
            headers: {
                [key: string]: string;
            };
            name: string;
            runtime_ids: components["schemas"]["CustomRuntimeIDRes"][];
        };
        CustomRuntimeID: {
            id: string;
            /** @default 4096 */
            max_tokens?: number;
        };
        CustomRuntimeIDRes: {
            id: string;
            max_tokens: number;
            /** @description name it as the model of a completion */
            playground_id: string;
        };
        DatasetCreateBody: {
            /** @default null */
            description?: string | null;
            /** @default null */
            name?: string | null;
            /** @description objects; numbers keep their exact text */
            rows: {
                [key: string]: unknown;
            }[];
        };
        DatasetCreateRes: {
            digest: string;
            object_id: string;
            version_index: number;
        };
        DatasetDeleteRes: {
            num_deleted: number;
        };
        DatasetReadRes: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            digest: string;
            name: string;
            object_id: string;
            /** @description the ref of the table of rows */
            rows: string;
            version_index: number;
        };
        DatasetSourceLinkPayload: {
            /** @default null */
            link_metadata?: {
                [key: string]: unknown;
            } | null;
            row_digest: string;
            sources: components["schemas"]["SourceRef"][];
        };
        DatasetSourceLinkSchema: {
            added_by: string | null;
            /** Format: date-time */
            created_at: string;
            deleted_at: string | null;
            id: string;
            link_metadata: {
                [key: string]: unknown;
            } | null;
            row_digest: string;
            source_display_name: string;
            /** @description id of the call, span or conversation */
            source_id: string;
            source_kind: components["schemas"]["SourceKind"];
            /** Format: date-time */
            source_started_at: string;
            /** @description of a span; a call has its own, a conversation an empty one */
            source_trace_id: string;
            /** Format: date-time */
            updated_at: string;
        };
        DatasetSourcesLinkReq: {
            dataset_digest: string;
            dataset_object_id: string;
            /** @default false */
            include_created_status?: boolean;
            links: components["schemas"]["DatasetSourceLinkPayload"][];
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        DatasetSourcesLinkRes: {
            entries: components["schemas"]["DatasetSourcesLinkResEntry"][];
        };
        DatasetSourcesLinkResEntry: {
            /** @description null unless include_created_status */
            created: boolean | null;
            link_id: string;
        };
        DatasetSourcesQueryReq: {
            dataset_object_id: string;
            /** @default false */
            include_deleted?: boolean;
            /** @default null */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            row_digests?: string[] | null;
            /** @default null */
            source_kinds?: components["schemas"]["SourceKind"][] | null;
        };
        DatasetSourcesQueryRes: {
            links: components["schemas"]["DatasetSourceLinkSchema"][];
        };
        DedicatedInferenceRoute: {
            base_url: string;
            connection: string;
            /** @constant */
            connection_type: "dedicated";
        };
        DeletedObjVersion: {
            base_object_class: string | null;
            digest: string;
            leaf_object_class: string | null;
        };
        EndedCallSchemaForInsert: {
            /**
             * Format: date-time
             * @description ISO 8601; without an offset it is UTC
             */
            ended_at: string;
            /** @default null */
            exception?: string | null;
            id: string;
            /** @default null */
            is_eval?: boolean | null;
            output?: unknown;
            /** @default null */
            platform_run_step_end?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            started_at?: string | null;
            summary: components["schemas"]["SummaryInsertMap"];
            /** @default null */
            trace_id?: string | null;
        };
        EndedCallSchemaForInsertWithStartedAt: {
            /**
             * Format: date-time
             * @description ISO 8601; without an offset it is UTC
             */
            ended_at: string;
            /** @default null */
            exception?: string | null;
            id: string;
            /** @default null */
            is_eval?: boolean | null;
            output?: unknown;
            /** @default null */
            platform_run_step_end?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            started_at?: string | null;
            summary: components["schemas"]["SummaryInsertMap"];
            /** @default null */
            trace_id?: string | null;
        };
        EqOperation: {
            $eq: [
                components["schemas"]["Operand"],
                components["schemas"]["Operand"]
            ];
        };
        EvalResultsEvaluationSummary: {
            display_name: string | null;
            evaluation_call_id: string;
            evaluation_ref: string | null;
            mean_model_latency_seconds: number | null;
            model_ref: string | null;
            /** @description in the currency of the prices */
            predict_total_cost: number | null;
            predict_total_tokens: number | null;
            scorer_stats: components["schemas"]["EvalResultsScorerStats"][];
            started_at: string | null;
            trace_id: string | null;
            trial_count: number;
        };
        EvalResultsFilter: {
            /**
             * @description the run that must match; default: see filter_logic_operator
             * @default null
             */
            evaluation_call_id?: string | null;
            /** @description fields: scores.<scorer>[.<path>], inputs.<path> or outputs.<path> */
            query: components["schemas"]["Query"];
        };
        EvalResultsQueryBody: {
            /**
             * @description ids of the root calls of runs
             * @default null
             */
            evaluation_call_ids?: string[] | null;
            /**
             * @description the same, under another name
             * @default null
             */
            evaluation_run_ids?: string[] | null;
            /**
             * @description whether a filter without a run must match in every run or in any
             * @default or
             * @enum {string}
             */
            filter_logic_operator?: "and" | "or";
            /**
             * @description all must match; one matching trial of a row is enough
             * @default null
             */
            filters?: components["schemas"]["EvalResultsFilter"][] | null;
            /** @default false */
            include_costs?: boolean;
            /**
             * @description with tokens and the ids of predictions and scores
             * @default true
             */
            include_predict_and_score_children?: boolean;
            /** @default false */
            include_raw_data_rows?: boolean;
            /** @default true */
            include_rows?: boolean;
            /** @default false */
            include_summary?: boolean;
            /** @default null */
            limit?: number | null;
            /** @default 0 */
            offset?: number;
            /**
             * @description only rows that every run has
             * @default false
             */
            require_intersection?: boolean;
            /**
             * @description with include_raw_data_rows: the rows of datasets instead of their refs
             * @default false
             */
            resolve_row_refs?: boolean;
            /**
             * @description default: row_digest, ascending
             * @default null
             */
            sort_by?: components["schemas"]["EvalResultsSortBy"][] | null;
            /**
             * @description default: require_intersection
             * @default null
             */
            summary_require_intersection?: boolean | null;
        };
        EvalResultsQueryRes: {
            rows: components["schemas"]["EvalResultsRow"][];
            summary: components["schemas"]["EvalResultsSummaryRes"] | null;
            /** @description the total, regardless of the limit */
            total_rows: number;
            warnings: string[];
        };
        EvalResultsRow: {
            evaluations: components["schemas"]["EvalResultsRowEvaluation"][];
            raw_data_row: unknown;
            row_digest: string;
        };
        EvalResultsRowEvaluation: {
            evaluation_call_id: string;
            trials: components["schemas"]["EvalResultsTrial"][];
        };
        EvalResultsScorerStats: {
            numeric_count: number;
            /** @description over the trials with a number */
            numeric_mean: number | null;
            pass_known_count: number;
            /** @description pass_true_count / pass_known_count */
            pass_rate: number | null;
            /** @description pass_known_count / trial_count */
            pass_signal_coverage: number | null;
            pass_true_count: number;
            /** @description the path inside the score, its keys joined by dots */
            path: string | null;
            scorer_key: string;
            /** @description trials with this score: a boolean, number or text */
            trial_count: number;
            value_type: ("binary" | "continuous" | "text") | null;
        };
        EvalResultsSortBy: {
            /** @enum {string} */
            direction: "asc" | "desc";
            /**
             * @description the run whose value counts; default: the mean over all
             * @default null
             */
            evaluation_call_id?: string | null;
            /** @description scores.<scorer>[.<path>], inputs.<path> or outputs.<path> */
            field: string;
            /**
             * @description difference: the distance between the means of the runs; evaluation_call_id has no effect
             * @default value
             * @enum {string}
             */
            mode?: "value" | "difference";
        };
        EvalResultsSummaryRes: {
            evaluations: components["schemas"]["EvalResultsEvaluationSummary"][];
            row_count: number;
        };
        EvalResultsTrial: {
            genai_span_ref: components["schemas"]["GenAISpanRef"][] | null;
            model_latency_seconds: number | null;
            model_output: unknown;
            predict_and_score_call_id: string;
            predict_call_id: string | null;
            scorer_call_ids: {
                [key: string]: string;
            };
            scores: {
                [key: string]: unknown;
            };
            /** @description of the prediction only */
            total_cost: number | null;
            /** @description of the prediction only */
            total_tokens: number | null;
        };
        EvaluateModelReq: {
            evaluation_ref: string;
            /** @description of an LLMStructuredCompletionModel object */
            model_ref: string;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        EvaluateModelRes: {
            /** @description id of the root call of the run */
            call_id: string;
        };
        EvaluationCreateBody: {
            /** @description weave:///entity/project/object/name:digest */
            dataset: string;
            /** @default null */
            description?: string | null;
            /** @default null */
            eval_attributes?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description the display name of its runs
             * @default null
             */
            evaluation_name?: string | null;
            /** @description of the evaluation; the same name creates a new version */
            name: string;
            /** @default null */
            scorers?: string[] | null;
            /** @default 1 */
            trials?: number;
        };
        EvaluationCreateRes: {
            digest: string;
            /** @description weave:///entity/project/object/name:digest */
            evaluation_ref: string;
            object_id: string;
            version_index: number;
        };
        EvaluationDeleteRes: {
            num_deleted: number;
        };
        EvaluationReadRes: {
            /** Format: date-time */
            created_at: string;
            dataset: string;
            description: string | null;
            digest: string;
            evaluate_op: string | null;
            evaluation_name: string | null;
            name: string;
            object_id: string;
            predict_and_score_op: string | null;
            scorers: string[];
            summarize_op: string | null;
            trials: number;
            version_index: number;
        };
        EvaluationRunCreateBody: {
            evaluation: string;
            model: string;
            /** @default null */
            source_evaluation_run_id?: string | null;
        };
        EvaluationRunCreateRes: {
            evaluation_run_id: string;
        };
        EvaluationRunDeleteRes: {
            num_deleted: number;
        };
        EvaluationRunFinishBody: {
            /** @default null */
            summary?: {
                [key: string]: unknown;
            } | null;
        };
        EvaluationRunFinishRes: {
            success: boolean;
        };
        EvaluationRunReadRes: {
            evaluation: string;
            evaluation_run_id: string;
            finished_at: string | null;
            model: string;
            source_evaluation_run_id: string | null;
            started_at: string | null;
            status: ("running" | "completed" | "failed") | null;
            summary: {
                [key: string]: unknown;
            } | null;
        };
        EvaluationStatusComplete: {
            /** @constant */
            code: "complete";
            output: {
                [key: string]: unknown;
            };
        };
        EvaluationStatusFailed: {
            /** @constant */
            code: "failed";
            error: string | null;
        };
        EvaluationStatusNotFound: {
            /** @constant */
            code: "not_found";
        };
        EvaluationStatusReq: {
            call_id: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        EvaluationStatusRes: {
            status: components["schemas"]["EvaluationStatusNotFound"] | components["schemas"]["EvaluationStatusRunning"] | components["schemas"]["EvaluationStatusFailed"] | components["schemas"]["EvaluationStatusComplete"];
        };
        EvaluationStatusRunning: {
            /** @constant */
            code: "running";
            completed_rows: number;
            total_rows: number;
        };
        ExperimentalTrainingConfig: {
            /** @description only null is supported */
            adam_params?: unknown;
            advantage_balance?: number | null;
            /** @description only true or null is supported */
            allow_training_without_logprobs?: unknown;
            /** @description weight of the divergence from the teacher whose log-probabilities the trajectories have */
            distillation_coef?: number | null;
            epsilon?: number | null;
            epsilon_high?: number | null;
            /** @description only null is supported */
            grad_accumulation_sequences?: unknown;
            importance_sampling_level?: ("token" | "sequence" | "average" | "geometric_average") | null;
            kimi_k2_tau?: number | null;
            kl_penalty_coef?: number | null;
            /** @description the checkpoint that kl_penalty_coef compares with; default: the base model */
            kl_penalty_reference_step?: number | null;
            /** @description name of a checkpoint of any model with the same base, artifact:///entity/project/name:step3, that kl_penalty_coef compares with; wins over kl_penalty_reference_step */
            kl_ref_adapter_path?: string | null;
            learning_rate?: number | null;
            /** @description `ppo` is the same as ppo: true */
            loss_fn?: ("cispo" | "ppo") | null;
            /** @description only null is supported */
            loss_fn_config?: unknown;
            mask_prob_ratio?: boolean | null;
            max_negative_advantage_importance_sampling_weight?: number | null;
            /** @description only null is supported */
            moe_routing_replay_bundle?: unknown;
            /** @description only null is supported */
            moe_routing_replay_path?: unknown;
            /** @description false is the same as scale_rewards: false */
            normalize_advantages?: boolean | null;
            /** @description only 0 or null is supported */
            num_trajectories_learning_rate_multiplier_power?: unknown;
            /** @description only null is supported */
            packed_sequence_length?: unknown;
            ppo?: boolean | null;
            precalculate_logprobs?: boolean | null;
            /** @description only false or null is supported */
            scale_learning_rate_by_reward_std_dev?: unknown;
            scale_rewards?: boolean | null;
            truncated_importance_sampling?: number | null;
        };
        FeedbackAggregateBucket: {
            group: {
                [key: string]: string;
            };
            rating_counts: {
                [key: string]: number;
            };
            rating_sums: {
                [key: string]: number;
            };
            /** @description with a tag or a rating */
            scored_count: number;
            tag_counts: {
                [key: string]: number;
            };
            time_bucket_start_ms: number | null;
            total_count: number;
        };
        FeedbackAggregateReq: {
            /** @description this millisecond and later */
            after_ms: number;
            /** @description before this millisecond */
            before_ms: number;
            /**
             * @description prefixes of types
             * @default null
             */
            feedback_types?: string[] | null;
            /** @default null */
            group_by?: ("scorer_id" | "span_agent_name" | "span_agent_version" | "span_status_code")[] | null;
            /**
             * @description names of objects, any version; `*` at the end matches any ending
             * @default null
             */
            monitor_ids?: string[] | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            rating_max?: number | null;
            /** @default null */
            rating_min?: number | null;
            /**
             * @description names of objects, any version; `*` at the end matches any ending
             * @default null
             */
            scorer_ids?: string[] | null;
            /** @default null */
            span_agent_names?: string[] | null;
            /** @default null */
            span_types?: ("agent_turn" | "agent_conversation")[] | null;
            /** @default null */
            tags?: string[] | null;
            /**
             * @description default: depends on the time range
             * @default null
             */
            time_bucket_seconds?: number | null;
        };
        FeedbackAggregateRes: {
            after_ms: number;
            before_ms: number;
            /** @description those that are not empty */
            buckets: components["schemas"]["FeedbackAggregateBucket"][];
            time_bucket_seconds: number | null;
        };
        FeedbackCreateBatchReq: {
            batch: components["schemas"]["FeedbackCreateReq"][];
        };
        FeedbackCreateBatchRes: {
            res: components["schemas"]["FeedbackCreateRes"][];
        };
        FeedbackCreateReq: {
            annotation_ref?: string | null;
            call_ref?: string | null;
            creator?: string | null;
            /**
             * @example platform.note.1
             * @example platform.reaction.1
             * @example my-own
             */
            feedback_type: string;
            /** @description default: generated. Feedback on the same ref with an existing id changes nothing */
            id?: string | null;
            /**
             * @description at most 1 MiB; numbers keep their exact text. Required fields depend on the type
             * @example {
             *       "note": "well said"
             *     }
             */
            payload: {
                [key: string]: unknown;
            };
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @description an existing queue */
            queue_id?: string | null;
            runnable_ref?: string | null;
            scorer_rating_confidences?: {
                [key: string]: number;
            } | null;
            scorer_rating_reasons?: {
                [key: string]: string;
            } | null;
            scorer_ratings?: {
                [key: string]: number;
            } | null;
            scorer_tag_confidences?: {
                [key: string]: number;
            } | null;
            scorer_tag_reasons?: {
                [key: string]: string;
            } | null;
            scorer_tags?: string[] | null;
            scorer_trace_id?: string | null;
            span_agent_name?: string | null;
            span_agent_version?: string | null;
            span_conversation_id?: string | null;
            /** @description default: UNSET */
            span_status_code?: string | null;
            span_trace_id?: string | null;
            trigger_ref?: string | null;
            /**
             * @description what the feedback is about
             * @example weave:///acme/assistant/call/0198e7a1-2b3c-7d4e-8f5a-6b7c8d9e0f1a
             */
            weave_ref: string;
        };
        FeedbackCreateRes: {
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description as it was stored */
            payload: {
                [key: string]: unknown;
            };
            platform_user_id: string;
            /** @description the same as platform_user_id */
            wb_user_id: string;
        };
        FeedbackMetricSpec: {
            /**
             * @description default: avg, min and max of numbers, count_true and count_false of booleans, else count
             * @default []
             */
            aggregations?: components["schemas"]["AggregationType"][];
            /** @description into the payload: `output.score` */
            json_path: string;
            /** @default [] */
            percentiles?: number[];
            /**
             * @default numeric
             * @enum {string}
             */
            value_type?: "numeric" | "boolean" | "categorical";
        };
        FeedbackPayloadPath: {
            json_path: string;
            /** @enum {string} */
            value_type: "numeric" | "boolean" | "categorical";
        };
        FeedbackPayloadSchemaReq: {
            /**
             * @description default: now
             * @default null
             */
            end?: string | null;
            /** @default null */
            feedback_type?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * @description how many to inspect: the newest of each trigger_ref, and all without one, newest first
             * @default 2000
             */
            sample_limit?: number;
            /** Format: date-time */
            start: string;
            /**
             * @description `:*` at the end means any version
             * @default null
             */
            trigger_ref?: string | null;
        };
        FeedbackPayloadSchemaRes: {
            paths: components["schemas"]["FeedbackPayloadPath"][];
        };
        FeedbackPurgeReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            query: components["schemas"]["Query"];
        };
        FeedbackPurgeRes: Record<string, never>;
        FeedbackQueryReq: {
            /**
             * @description null: all. `payload.a.b` is the value at that path
             * @default null
             */
            fields?: string[] | null;
            /** @default null */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            query?: components["schemas"]["Query"] | null;
            /**
             * @description default: in the order of arrival
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        FeedbackQueryRes: {
            result: {
                [key: string]: unknown;
            }[];
            /** @description the total, regardless of limit and offset */
            total_count: number;
        };
        FeedbackReplaceReq: {
            annotation_ref?: string | null;
            call_ref?: string | null;
            creator?: string | null;
            /** @description the feedback to replace */
            feedback_id: string;
            /**
             * @example platform.note.1
             * @example platform.reaction.1
             * @example my-own
             */
            feedback_type: string;
            /** @description default: generated. Feedback on the same ref with an existing id changes nothing */
            id?: string | null;
            /**
             * @description at most 1 MiB; numbers keep their exact text. Required fields depend on the type
             * @example {
             *       "note": "well said"
             *     }
             */
            payload: {
                [key: string]: unknown;
            };
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @description an existing queue */
            queue_id?: string | null;
            runnable_ref?: string | null;
            scorer_rating_confidences?: {
                [key: string]: number;
            } | null;
            scorer_rating_reasons?: {
                [key: string]: string;
            } | null;
            scorer_ratings?: {
                [key: string]: number;
            } | null;
            scorer_tag_confidences?: {
                [key: string]: number;
            } | null;
            scorer_tag_reasons?: {
                [key: string]: string;
            } | null;
            scorer_tags?: string[] | null;
            scorer_trace_id?: string | null;
            span_agent_name?: string | null;
            span_agent_version?: string | null;
            span_conversation_id?: string | null;
            /** @description default: UNSET */
            span_status_code?: string | null;
            span_trace_id?: string | null;
            trigger_ref?: string | null;
            /**
             * @description what the feedback is about
             * @example weave:///acme/assistant/call/0198e7a1-2b3c-7d4e-8f5a-6b7c8d9e0f1a
             */
            weave_ref: string;
        };
        FeedbackReplaceRes: {
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description as it was stored */
            payload: {
                [key: string]: unknown;
            };
            platform_user_id: string;
            /** @description the same as platform_user_id */
            wb_user_id: string;
        };
        FeedbackStatsReq: {
            /**
             * @description default: now
             * @default null
             */
            end?: string | null;
            /** @default null */
            feedback_type?: string | null;
            /**
             * @description bucket size in seconds; default: depends on the time range
             * @default null
             */
            granularity?: number | null;
            /** @default [] */
            metrics?: components["schemas"]["FeedbackMetricSpec"][];
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** Format: date-time */
            start: string;
            /**
             * @description an IANA time zone; buckets start at its midnight
             * @default UTC
             */
            timezone?: string;
            /**
             * @description `:*` at the end means any version
             * @default null
             */
            trigger_ref?: string | null;
        };
        FeedbackStatsRes: {
            buckets: {
                [key: string]: unknown;
            }[];
            /** Format: date-time */
            end: string;
            granularity: number;
            /** Format: date-time */
            start: string;
            timezone: string;
            /** @description over the whole time, by path with _ instead of dots */
            window_stats: {
                [key: string]: {
                    [key: string]: number | null;
                };
            } | null;
        };
        FileContentReadReq: {
            digest: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        FileCreateRes: {
            digest: string;
        };
        FilesStatsReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        FilesStatsRes: {
            total_size_bytes: number;
        };
        GenAISpanRef: {
            span_id: string;
            trace_id: string;
        };
        GetFieldOperator: {
            $getField: string;
        };
        Grant: {
            /** @enum {string} */
            right: "read" | "write" | "admin";
            /** @description *, an entity or entity/project */
            scope: string;
        };
        GteOperation: {
            $gte: [
                components["schemas"]["Operand"],
                components["schemas"]["Operand"]
            ];
        };
        GtOperation: {
            $gt: [
                components["schemas"]["Operand"],
                components["schemas"]["Operand"]
            ];
        };
        Hardware: {
            accelerator: string;
            /** @description accelerators per node */
            count: number;
            /** @description accelerator and its number per node */
            id: string;
            /** @description of all accelerators of a node */
            memory_bytes: number;
            nodes: number;
            /** @constant */
            object: "hardware";
        };
        HardwareList: {
            data: components["schemas"]["Hardware"][];
            /** @constant */
            object: "list";
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        HealthRes: {
            /** @constant */
            status: "ok";
        };
        HTTPValidationError: {
            detail?: {
                loc: string[];
                msg: string;
                type: string;
            }[];
            /** @description instead of detail, for an invalid name or an unknown field */
            reason?: string;
        };
        ImageGenerationCreateReq: {
            inputs: components["schemas"]["ImageGenerationRequestInputs"];
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default true */
            track_llm_call?: boolean | null;
        };
        ImageGenerationCreateRes: {
            /** @description the provider's answer, with the stored file of each image under `data[].image`; or {error: {code, message, status}} if the provider failed */
            response: {
                [key: string]: unknown;
            };
            /** @description null: not logged */
            weave_call_id: string | null;
        };
        ImageGenerationRequestInputs: {
            /** @description custom::<provider>::<model> or <provider>/<model> of a Provider object, or the id of a ProviderModel object */
            model: string;
            /**
             * @description default: the provider's
             * @default null
             */
            n?: number | null;
            prompt: string;
        };
        InOperation: {
            $in: [
                components["schemas"]["Operand"],
                components["schemas"]["Operand"][]
            ];
        };
        KeyCreateReq: {
            grants: components["schemas"]["Grant"][];
            /**
             * @description a note about its purpose
             * @default
             */
            label?: string;
            /** @description log its chat completions there */
            trace_project?: string | null;
            /** @description default: who asks */
            username?: string | null;
        };
        KeyCreateRes: {
            /** @description not stored, and not shown again */
            key: string;
            key_id: string;
        };
        KeyRevokeRes: Record<string, never>;
        KeysRes: {
            keys: components["schemas"]["ApiKey"][];
        };
        /** @enum {string} */
        LeftOutReason: "failed" | "unfinished" | "no_messages" | "no_answer" | "bad_message" | "not_text" | "no_value" | "no_reward" | "low_reward" | "single_answer" | "same_rewards" | "duplicate" | "secret" | "too_long";
        LeftOutRows: {
            count: number;
            /** @description the first call ids, or row numbers from 0 */
            ids: string[];
            message: string;
            reason: components["schemas"]["LeftOutReason"];
        };
        LiteralOperation: {
            $literal: string | number | boolean | {
                [key: string]: components["schemas"]["LiteralOperation"];
            } | components["schemas"]["LiteralOperation"][] | null;
        };
        LLMAggregatedUsage: {
            cache_creation_input_tokens: number;
            cache_creation_input_tokens_total_cost: number | null;
            cache_read_input_tokens: number;
            cache_read_input_tokens_total_cost: number | null;
            completion_tokens: number;
            completion_tokens_total_cost: number | null;
            prompt_tokens: number;
            prompt_tokens_total_cost: number | null;
            requests: number;
            total_tokens: number;
        };
        LLMUsageSchema: {
            cache_creation_input_tokens?: number | null;
            cache_read_input_tokens?: number | null;
            completion_tokens?: number | null;
            input_tokens?: number | null;
            output_tokens?: number | null;
            prompt_tokens?: number | null;
            requests?: number | null;
            total_tokens?: number | null;
        } & {
            [key: string]: unknown;
        };
        LteOperation: {
            $lte: [
                components["schemas"]["Operand"],
                components["schemas"]["Operand"]
            ];
        };
        LtOperation: {
            $lt: [
                components["schemas"]["Operand"],
                components["schemas"]["Operand"]
            ];
        };
        Message: {
            content?: (string | components["schemas"]["ContentPart"][]) | null;
            name?: string | null;
            reasoning?: string | null;
            /** @description developer, system, user, assistant, tool, … as the template supports */
            role: string;
            tool_call_id?: string | null;
            tool_calls?: components["schemas"]["ToolCall"][] | null;
        } & {
            [key: string]: unknown;
        };
        Metrics: {
            [key: string]: number;
        };
        Model: {
            base_model: string;
            entity: string;
            id: string;
            name: string;
            project: string;
            run_id: string | null;
        };
        ModelAnalysis: {
            id: string;
            nodes: number;
            /** @constant */
            object: "model.analysis";
            requests_running: number;
            /** @description mean over its nodes, in the last minute */
            time_to_first_token_ms: number | null;
            /** @description over all its nodes, in the last minute */
            tokens_per_second: number | null;
        };
        ModelAnalysisList: {
            data: components["schemas"]["ModelAnalysis"][];
            /** @constant */
            object: "list";
        };
        ModelCreate: {
            base_model: string;
            /** @description default: the key's */
            entity?: string | null;
            /** @description default: generated */
            name?: string | null;
            /** @description default: `default` */
            project?: string | null;
            /** @default false */
            return_existing?: boolean | null;
        };
        ModelCreateBody: {
            /** @default null */
            attributes?: {
                [key: string]: unknown;
            } | null;
            /** @default null */
            description?: string | null;
            /** @description of the model; the same name creates a new version */
            name: string;
            source_code: string;
        };
        ModelCreateRes: {
            digest: string;
            /** @description weave:///entity/project/object/name:digest */
            model_ref: string;
            object_id: string;
            version_index: number;
        };
        ModelDeleteRes: {
            num_deleted: number;
        };
        ModelLog: {
            model_id?: string | null;
            /**
             * @example train
             * @example val
             * @example test
             */
            split: string;
            trajectory_groups: components["schemas"]["TrajectoryGroup"][];
        };
        ModelPage: {
            data: components["schemas"]["Model"][];
            /** @description empty if the page is */
            first_id: string;
            has_more: boolean;
            last_id: string;
            /** @constant */
            object: "list";
        };
        ModelReadRes: {
            attributes: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            created_at: string;
            description: string | null;
            digest: string;
            name: string;
            object_id: string;
            /** @description empty if the model has no source */
            source_code: string;
            version_index: number;
        };
        NormalizedMessage: {
            content: string;
            finish_reason: string;
            role: string;
        };
        NotOperation: {
            $not: [
                components["schemas"]["Operand"]
            ];
        };
        ObjAddTagsRes: Record<string, never>;
        ObjCreateReq: {
            obj: components["schemas"]["ObjSchemaForInsert"];
        };
        ObjCreateRes: {
            digest: string;
            object_id: string | null;
        };
        ObjDeleteReq: {
            /**
             * @description at most 100 digests, latest, v<index> or aliases
             * @default null
             */
            digests?: string[] | null;
            /**
             * @description 1 to 128 letters and digits of any script, `_`, `.` or `-`
             * @example my-dataset
             */
            object_id: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ObjDeleteRes: {
            deleted_versions: components["schemas"]["DeletedObjVersion"][] | null;
            num_deleted: number;
        };
        ObjectVersionFilter: {
            /** @default null */
            aliases?: string[] | null;
            /** @default null */
            base_object_classes?: string[] | null;
            /** @default null */
            exclude_base_object_classes?: string[] | null;
            /** @default null */
            is_op?: boolean | null;
            /** @default null */
            latest_only?: boolean | null;
            /** @default null */
            leaf_object_classes?: string[] | null;
            /** @default null */
            object_ids?: string[] | null;
            /** @default null */
            tags?: string[] | null;
        };
        ObjQueryReq: {
            /** @default null */
            filter?: components["schemas"]["ObjectVersionFilter"] | null;
            /** @default false */
            include_storage_size?: boolean | null;
            /** @default false */
            include_tags_and_aliases?: boolean | null;
            /** @default null */
            limit?: number | null;
            /**
             * @description return empty vals
             * @default false
             */
            metadata_only?: boolean | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * @description by object_id or created_at; other fields are ignored
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        ObjQueryRes: {
            objs: components["schemas"]["ObjSchema"][];
        };
        ObjReadReq: {
            digest: string;
            /** @default false */
            include_tags_and_aliases?: boolean | null;
            /**
             * @description return an empty val
             * @default false
             */
            metadata_only?: boolean | null;
            /**
             * @description 1 to 128 letters and digits of any script, `_`, `.` or `-`
             * @example my-dataset
             */
            object_id: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ObjReadRes: {
            obj: components["schemas"]["ObjSchema"];
        };
        ObjRemoveAliasesBody: {
            aliases: string[];
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ObjRemoveAliasesRes: Record<string, never>;
        ObjRemoveTagsRes: Record<string, never>;
        ObjSchema: {
            aliases: string[] | null;
            base_object_class: string | null;
            /** Format: date-time */
            created_at: string;
            deleted_at: string | null;
            digest: string;
            /** @description 1 or 0 */
            is_latest: number;
            /** @enum {string} */
            kind: "object" | "op";
            leaf_object_class: string | null;
            object_id: string;
            platform_user_id: string | null;
            project_id: string;
            size_bytes: number | null;
            tags: string[] | null;
            val: unknown;
            version_index: number;
            /** @description the same as platform_user_id */
            wb_user_id: string | null;
        };
        ObjSchemaForInsert: {
            /** @default null */
            builtin_object_class?: string | null;
            /**
             * @description the digest that the client computed; 409 if it differs
             * @default null
             */
            expected_digest?: string | null;
            /**
             * @description 1 to 128 letters and digits of any script, `_`, `.` or `-`
             * @example my-dataset
             */
            object_id: string;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * @deprecated
             * @description older name of builtin_object_class
             * @default null
             */
            set_base_object_class?: string | null;
            /** @description any JSON value; numbers keep their exact text */
            val: unknown;
        };
        ObjSetAliasesBody: {
            aliases: string[];
            digest: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ObjSetAliasesRes: Record<string, never>;
        ObjTagsBody: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            tags: string[];
        };
        OpCreateBody: {
            /** @default null */
            name?: string | null;
            /** @default null */
            source_code?: string | null;
        };
        OpCreateRes: {
            digest: string;
            object_id: string;
            version_index: number;
        };
        OpDeleteRes: {
            num_deleted: number;
        };
        Operand: components["schemas"]["LiteralOperation"] | components["schemas"]["GetFieldOperator"] | components["schemas"]["ConvertOperation"] | components["schemas"]["SizeOperation"] | components["schemas"]["AndOperation"] | components["schemas"]["OrOperation"] | components["schemas"]["NotOperation"] | components["schemas"]["EqOperation"] | components["schemas"]["GtOperation"] | components["schemas"]["LtOperation"] | components["schemas"]["GteOperation"] | components["schemas"]["LteOperation"] | components["schemas"]["InOperation"] | components["schemas"]["ContainsOperation"];
        OpReadRes: {
            code: string;
            /** Format: date-time */
            created_at: string;
            digest: string;
            object_id: string;
            version_index: number;
        };
        OrOperation: {
            $or: components["schemas"]["Operand"][];
        };
        /** @description ExportTraceServiceResponse; empty: every span was stored */
        OTelExportRes: {
            partialSuccess?: {
                errorMessage?: string;
                rejectedSpans?: string;
            };
        };
        /** @description ExportLogsServiceResponse; empty: no record was rejected */
        OTelLogsExportRes: {
            partialSuccess?: {
                errorMessage?: string;
                rejectedLogRecords?: string;
            };
        };
        /** @description texts with {dotted.paths} into a call or a row; {{ is a brace. Takes precedence over other fields of the row */
        PairTemplate: {
            /** @example {output} */
            completion: string;
            /** @example Translate: {inputs.text} */
            prompt: string;
            /** @default null */
            system?: string | null;
        };
        PredictionCreateBody: {
            /** @default null */
            evaluation_run_id?: string | null;
            /** @default null */
            genai_span_ref?: components["schemas"]["GenAISpanRef"][] | null;
            inputs: {
                [key: string]: unknown;
            };
            model: string;
            output: unknown;
        };
        PredictionCreateRes: {
            prediction_id: string;
        };
        PredictionDeleteRes: {
            num_deleted: number;
        };
        PredictionFinishRes: {
            success: boolean;
        };
        PredictionReadRes: {
            evaluation_run_id: string | null;
            inputs: {
                [key: string]: unknown;
            };
            model: string;
            output: unknown;
            platform_user_id: string | null;
            prediction_id: string;
            /** @description the same as platform_user_id */
            wb_user_id: string | null;
        };
        Problem: {
            /** @description a stable code for programs */
            code?: string;
            /** @description what is wrong and what to do */
            reason: string;
        };
        ProjectConventionsReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ProjectConventionsRes: {
            conventions: {
                convention: string;
                /** @description how many of the spans */
                spans: number;
            }[];
            /** @description parts of calls that none of the spans has, and the attributes that would say them */
            missing: {
                part: string;
                set: string[];
            }[];
            /** @description the newest ones, 200 at most; without those that are very large */
            spans: number;
            /** @description names of attributes that no convention has; they are kept under these names */
            unknown_attributes: {
                attribute: string;
                /** @description how many of the spans */
                spans: number;
            }[];
        };
        ProjectsInfoReq: {
            project_ids: string[];
        };
        ProjectsInfoRes: {
            external_project_id: string;
            internal_project_id: string;
        };
        ProjectsRes: {
            projects: {
                /** Format: date-time */
                created_at: string;
                project_id: string;
            }[];
        };
        ProjectStatsReq: {
            /** @default true */
            include_file_storage_size?: boolean | null;
            /** @default true */
            include_object_storage_size?: boolean | null;
            /** @default true */
            include_table_storage_size?: boolean | null;
            /** @default true */
            include_trace_storage_size?: boolean | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ProjectStatsRes: {
            files_storage_size_bytes: number;
            objects_storage_size_bytes: number;
            spans_storage_size_bytes: number;
            /** @description rows shared by several tables count once */
            tables_storage_size_bytes: number;
            trace_storage_size_bytes: number;
        };
        ProjectTTLSettingsReadReq: {
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        ProjectTTLSettingsReadRes: {
            /** @description null: for ever */
            retention_days: number | null;
        };
        ProjectTTLSettingsUpdateReq: {
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * @description null: as long as the operator keeps calls
             * @default null
             */
            retention_days?: number | null;
        };
        ProjectTTLSettingsUpdateRes: {
            /** @description what applies now */
            retention_days: number | null;
        };
        /** @description A number beside a value inside JSON compares by value: 9 is less than 9.5, and "10" is 10. There true equals 1 and "1", false equals 0 and "0". */
        Query: {
            $expr: components["schemas"]["AndOperation"] | components["schemas"]["OrOperation"] | components["schemas"]["NotOperation"] | components["schemas"]["EqOperation"] | components["schemas"]["GtOperation"] | components["schemas"]["LtOperation"] | components["schemas"]["GteOperation"] | components["schemas"]["LteOperation"] | components["schemas"]["InOperation"] | components["schemas"]["ContainsOperation"];
        };
        RatingCondition: {
            /** @enum {string} */
            op: "gte" | "gt" | "lte" | "lt" | "eq";
            scorer_key: string;
            value: number;
        };
        RefsReadBatchReq: {
            /**
             * @description at most 1000 refs of the form weave:///entity/project/object/name:digest/…
             * @example [
             *       "weave:///acme/assistant/object/prompt:latest/attr/content"
             *     ]
             */
            refs: string[];
        };
        RefsReadBatchRes: {
            vals: unknown[];
        };
        RescoreReq: {
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            scorer_refs: string[];
            source_evaluation_run_id: string;
        };
        RescoreRes: {
            /** @description id of the root call of the run */
            call_id: string;
            evaluation_run_id: string;
        };
        ResponseFormat: {
            json_schema?: ({
                description?: string | null;
                name?: string | null;
                schema?: {
                    [key: string]: unknown;
                } | null;
                strict?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @enum {string} */
            type?: "text" | "json_object" | "json_schema" | "structural_tag";
        } & {
            [key: string]: unknown;
        };
        /** @description with either trajectory_groups or training_data */
        RlJobCreate: {
            experimental_config?: components["schemas"]["ExperimentalTrainingConfig"] | null;
            model_id: string;
            training_data?: components["schemas"]["TrainingDataSource"] | null;
            trajectory_groups?: components["schemas"]["TrajectoryGroup"][];
        };
        RouterModel: {
            /** @description whether fine-tuned adapters of it are supported */
            adapters: boolean;
            context_length: number | null;
            /** @description Unix seconds of the start of its first node */
            created: number;
            id: string;
            /** @description number of nodes that serve it */
            nodes: number;
            /** @constant */
            object: "model";
            owned_by: string;
        };
        RouterModelList: {
            data: components["schemas"]["RouterModel"][];
            /** @constant */
            object: "list";
        };
        ScoreCreateBody: {
            /** @default null */
            evaluation_run_id?: string | null;
            prediction_id: string;
            scorer: string;
            value: unknown;
        };
        ScoreCreateRes: {
            score_id: string;
        };
        ScoreDeleteRes: {
            num_deleted: number;
        };
        ScorerCreateBody: {
            /** @default null */
            description?: string | null;
            /** @description of the scorer; the same name creates a new version */
            name: string;
            op_source_code: string;
        };
        ScorerCreateRes: {
            digest: string;
            object_id: string;
            /** @description weave:///entity/project/object/name:digest */
            scorer: string;
            version_index: number;
        };
        ScorerDeleteRes: {
            num_deleted: number;
        };
        ScoreReadRes: {
            evaluation_run_id: string | null;
            platform_user_id: string | null;
            score_id: string;
            scorer: string;
            value: unknown;
            /** @description the same as platform_user_id */
            wb_user_id: string | null;
        };
        ScorerReadRes: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            digest: string;
            name: string;
            object_id: string;
            /** @description the digest of the op, or its ref if an SDK created it */
            score_op: string;
            version_index: number;
        };
        SecretName: {
            /** Format: date-time */
            created_at: string;
            name: string;
            /** @description the one address that it may be sent to; *: any */
            origin: string;
            /** @description *, an entity or entity/project */
            scope: string;
        };
        SecretsRes: {
            secrets: components["schemas"]["SecretName"][];
        };
        ServedModel: {
            created: number;
            id: string;
            max_model_len: number | null;
            /** @constant */
            object: "model";
            owned_by: string;
        };
        ServedModelList: {
            data: components["schemas"]["ServedModel"][];
            /** @constant */
            object: "list";
        };
        ServerInfoRes: {
            min_required_weave_python_version: string;
            trace_server_version: string | null;
        };
        SessionReq: {
            code?: string;
            key?: string;
        };
        SessionRes: {
            /** @description goes into the header X-CSRF-Token of every request but GET */
            csrf_token: string;
            grants: {
                /** @enum {string} */
                right: "read" | "write" | "admin";
                scope: string;
            }[];
            username: string;
        };
        SessionsRes: {
            sessions: {
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string;
                /** @description this request is made with it */
                is_current: boolean;
            }[];
        };
        SftJobCreate: {
            config?: components["schemas"]["SftTrainingConfig"] | null;
            model_id: string;
            training_data?: components["schemas"]["TrainingDataSource"] | null;
            /** @description data:…, https://…, artifact:///entity/project/file:digest, or a ref of a dataset: JSON lines of {messages, tools?} */
            training_data_url?: string | null;
        };
        SftTrainingConfig: {
            batch_size?: number | null;
            /** @description passes over the data; default: one */
            epochs?: number | null;
            /** @description a number, or one per batch */
            learning_rate?: (number | number[]) | null;
        };
        SizeOperation: {
            $size: components["schemas"]["Operand"];
        };
        SortBy: {
            /**
             * @default asc
             * @enum {string}
             */
            direction?: "asc" | "desc";
            field: string;
        };
        SourceDatasetMembership: {
            dataset_object_id: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description at most 100, sorted */
            row_digests: string[];
            row_digests_total_count: number;
            row_digests_truncated: boolean;
            /** @description id of the call, span or conversation */
            source_id: string;
            source_kind: components["schemas"]["SourceKind"];
            /** @description of a span; a call has its own, a conversation an empty one */
            source_trace_id: string;
        };
        SourceDatasetsQueryReq: {
            /** @default false */
            include_deleted?: boolean;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            sources: components["schemas"]["SourceRef"][];
        };
        SourceDatasetsQueryRes: {
            memberships: components["schemas"]["SourceDatasetMembership"][];
        };
        /** @enum {string} */
        SourceKind: "call" | "span" | "conversation";
        SourceRef: {
            /** @description id of the call, span or conversation */
            source_id: string;
            source_kind: components["schemas"]["SourceKind"];
            /** @description of a span; a call has its own, a conversation an empty one */
            source_trace_id: string;
        };
        StartedCallSchemaForInsert: {
            attributes: {
                [key: string]: unknown;
            };
            /** @default null */
            display_name?: string | null;
            /** @default null */
            id?: string | null;
            inputs: {
                [key: string]: unknown;
            };
            /** @description a plain name, or weave:///entity/project/op/name:digest */
            op_name: string;
            /** @default null */
            otel_dump?: {
                [key: string]: unknown;
            } | null;
            /** @default null */
            parent_id?: string | null;
            /** @default null */
            platform_run_id?: string | null;
            /** @default null */
            platform_run_step?: number | null;
            /**
             * @description ignored; the credentials decide
             * @default null
             */
            platform_user_id?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * Format: date-time
             * @description ISO 8601; without an offset it is UTC
             */
            started_at: string;
            /** @default null */
            thread_id?: string | null;
            /** @default null */
            trace_id?: string | null;
            /** @default null */
            turn_id?: string | null;
        };
        StructuredOutputs: {
            _backend?: string | null;
            _backend_was_auto?: boolean | null;
            choice?: string[] | null;
            disable_additional_properties?: boolean | null;
            disable_any_whitespace?: boolean | null;
            disable_fallback?: boolean | null;
            grammar?: string | null;
            json?: (string | {
                [key: string]: unknown;
            }) | null;
            json_object?: boolean | null;
            regex?: string | null;
            structural_tag?: string | null;
            whitespace_pattern?: string | null;
        };
        /** @description any JSON object; its key "weave" is ignored, since reads compute it */
        SummaryInsertMap: {
            status_counts?: {
                [key: string]: number;
            };
            usage?: {
                [key: string]: components["schemas"]["LLMUsageSchema"];
            };
        } & {
            [key: string]: unknown;
        };
        SystemCheck: {
            checks: {
                [key: string]: {
                    detail: string | null;
                    /** @enum {string} */
                    status: "ok" | "degraded" | "down";
                };
            };
            /** @enum {string} */
            status: "ok" | "degraded";
        };
        TableAppendSpec: {
            append: components["schemas"]["TableAppendSpecPayload"];
        };
        TableAppendSpecPayload: {
            row: {
                [key: string]: unknown;
            };
        };
        TableCreateFromDigestsReq: {
            /**
             * @description the digest that the client computed; 409 if it differs
             * @default null
             */
            expected_digest?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            row_digests: string[];
        };
        TableCreateFromDigestsRes: {
            digest: string;
        };
        TableCreateReq: {
            table: components["schemas"]["TableSchemaForInsert"];
        };
        TableCreateRes: {
            digest: string;
            row_digests: string[];
        };
        TableInsertSpec: {
            insert: components["schemas"]["TableInsertSpecPayload"];
        };
        TableInsertSpecPayload: {
            index: number;
            row: {
                [key: string]: unknown;
            };
        };
        TablePopSpec: {
            pop: components["schemas"]["TablePopSpecPayload"];
        };
        TablePopSpecPayload: {
            index: number;
        };
        TableQueryReq: {
            digest: string;
            /** @default null */
            filter?: components["schemas"]["TableRowFilter"] | null;
            /** @default null */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * @description by dotted paths into the rows; default: the order of the table
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        TableQueryRes: {
            rows: components["schemas"]["TableRowSchema"][];
        };
        TableQueryStatsBatchReq: {
            /** @default [] */
            digests?: string[] | null;
            /** @default false */
            include_storage_size?: boolean | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        TableQueryStatsBatchRes: {
            tables: components["schemas"]["TableStatsRow"][];
        };
        TableQueryStatsReq: {
            digest: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
        };
        TableQueryStatsRes: {
            count: number;
        };
        TableRowFilter: {
            /** @default null */
            row_digests?: string[] | null;
        };
        TableRowSchema: {
            digest: string;
            original_index: number | null;
            val: unknown;
        };
        TableSchemaForInsert: {
            /**
             * @description the digest that the client computed; 409 if it differs
             * @default null
             */
            expected_digest?: string | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            rows: {
                [key: string]: unknown;
            }[];
        };
        TableStatsRow: {
            count: number;
            digest: string;
            storage_size_bytes: number | null;
        };
        TableUpdateReq: {
            base_digest: string;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            updates: (components["schemas"]["TableAppendSpec"] | components["schemas"]["TablePopSpec"] | components["schemas"]["TableInsertSpec"])[];
        };
        TableUpdateRes: {
            digest: string;
            updated_row_digests: string[];
        };
        TagsListRes: {
            tags: string[];
        };
        ThreadSchema: {
            first_turn_id: string | null;
            last_turn_id: string | null;
            /** Format: date-time */
            last_updated: string;
            p50_turn_duration_ms: number | null;
            p99_turn_duration_ms: number | null;
            /** Format: date-time */
            start_time: string;
            thread_id: string;
            turn_count: number;
        };
        ThreadsQueryFilter: {
            /** @default null */
            after_datetime?: string | null;
            /** @default null */
            before_datetime?: string | null;
            /**
             * @description an empty list matches everything
             * @default null
             */
            thread_ids?: string[] | null;
        };
        ThreadsQueryReq: {
            /**
             * @description times apply to the start of each turn and are exclusive
             * @default null
             */
            filter?: components["schemas"]["ThreadsQueryFilter"] | null;
            /**
             * @description null: no limit; negative numbers are refused
             * @default null
             */
            limit?: number | null;
            /** @default null */
            offset?: number | null;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /**
             * @description thread_id, turn_count, start_time, last_updated, p50_turn_duration_ms, p99_turn_duration_ms; default: last_updated desc
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        TokenLogprob: {
            bytes: number[] | null;
            logprob: number;
            token: string;
            top_logprobs: components["schemas"]["TopLogprob"][];
        };
        Tool: {
            function: {
                description?: string | null;
                name: string;
                parameters?: {
                    [key: string]: unknown;
                } | null;
            } & {
                [key: string]: unknown;
            };
            /** @constant */
            type: "function";
        } & {
            [key: string]: unknown;
        };
        ToolCall: {
            function: {
                arguments: string;
                name: string;
            } & {
                [key: string]: unknown;
            };
            id: string;
            /** @constant */
            type: "function";
        } & {
            [key: string]: unknown;
        };
        TopLogprob: {
            bytes: number[] | null;
            logprob: number;
            token: string;
        };
        /** @description the calls that /calls/stream_query finds with the same fields */
        TracedCalls: {
            filter?: components["schemas"]["CallsFilter"] | null;
            /** @default 10000 */
            limit?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            query?: components["schemas"]["Query"] | null;
            /**
             * @description the order of training; default: started_at, ascending
             * @default null
             */
            sort_by?: components["schemas"]["SortBy"][] | null;
        };
        /** @description the mean, if a call has several */
        TracedReward: {
            /** @constant */
            from: "reaction";
            /**
             * @description the reward of each emoji; skin tones are ignored
             * @default {
             *       "👍": 1,
             *       "👎": 0
             *     }
             */
            values?: {
                [key: string]: number;
            };
        } | {
            feedback_type: string;
            /** @constant */
            from: "feedback";
            /** @description the path into the payload: a number, or true (1) or false (0) */
            path: string;
        } | {
            /** @constant */
            from: "scorer";
            /** @description the name in the feedback type …runnable.<name> */
            name: string;
            /**
             * @description the path into its output, if that is an object
             * @default null
             */
            path?: string | null;
        } | {
            /** @constant */
            from: "column";
            /** @description the path into the call or the row */
            path: string;
        };
        /** @enum {string} */
        TraceStatus: "success" | "error" | "running" | "descendant_error";
        TraceUsageReq: {
            filter?: components["schemas"]["CallsFilter"] | null;
            /** @default false */
            include_costs?: boolean;
            /**
             * @description fails if there are more calls
             * @default 10000
             */
            limit?: number;
            /**
             * @description entity/project
             * @example acme/assistant
             */
            project_id: string;
            /** @default null */
            query?: components["schemas"]["Query"] | null;
        };
        TraceUsageRes: {
            /** @description by call id, then by model */
            call_usage: {
                [key: string]: {
                    [key: string]: components["schemas"]["LLMAggregatedUsage"];
                };
            };
            unfinished_call_ids: string[];
        };
        TrainingDataPreview: {
            examples: (components["schemas"]["ChatExample"] | components["schemas"]["TrajectoryGroupExample"])[];
            /** @description conversations (SFT) or groups (RL) in the rows that were read */
            examples_found: number;
            /** @description there may be more rows */
            has_more: boolean;
            /** @enum {string} */
            kind: "sft" | "rl";
            left_out: components["schemas"]["LeftOutRows"][];
            mean_reward: number | null;
            rows_left_out: number;
            rows_read: number;
            rows_used: number;
        };
        TrainingDataPreviewReq: {
            /**
             * @description how many to show
             * @default 3
             */
            examples?: number;
            /**
             * @default sft
             * @enum {string}
             */
            kind?: "sft" | "rl";
            /**
             * @description how many to read
             * @default 1000
             */
            rows?: number;
            training_data: components["schemas"]["TrainingDataSource"];
        };
        TrainingDataSource: {
            calls?: components["schemas"]["TracedCalls"] | null;
            dataset?: string | null;
            /** @default false */
            keep_duplicates?: boolean;
            /**
             * @description for SFT: rows with a lower reward or none are skipped
             * @default null
             */
            min_reward?: number | null;
            /** @default null */
            reward?: components["schemas"]["TracedReward"] | null;
            /** @default null */
            template?: components["schemas"]["PairTemplate"] | null;
        };
        TrainingJob: {
            /** @description increases when a worker takes the job, and when the job ends otherwise */
            attempt: number;
            /** @description of its checkpoint */
            checkpoint_step: number | null;
            /** Format: date-time */
            created_at: string;
            entity: string;
            /** @description stable */
            error_code: string | null;
            error_message: string | null;
            finished_at: string | null;
            id: string;
            /** @enum {string} */
            kind: "rl" | "sft";
            model_id: string;
            model_name: string;
            project: string;
            started_at: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            /** @description gradient steps */
            steps_done: number;
            steps_total: number | null;
        };
        TrainingJobEvent: {
            /** Format: date-time */
            created_at: string;
            data: {
                [key: string]: unknown;
            };
            id: string;
            /** @enum {string} */
            type: "training_started" | "gradient_step" | "training_ended" | "training_failed";
        };
        TrainingJobEventPage: {
            data: components["schemas"]["TrainingJobEvent"][];
            /** @description empty if the page is */
            first_id: string;
            has_more: boolean;
            last_id: string;
            /** @constant */
            object: "list";
        };
        TrainingJobLog: {
            attempt: number;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @enum {string} */
            level: "info" | "warn" | "error";
            message: string;
        };
        TrainingJobLogPage: {
            data: components["schemas"]["TrainingJobLog"][];
            /** @description empty if the page is */
            first_id: string;
            has_more: boolean;
            last_id: string;
            /** @constant */
            object: "list";
        };
        TrainingJobMetrics: {
            /** Format: date-time */
            created_at: string;
            metrics: components["schemas"]["Metrics"];
            step: number;
        };
        TrainingJobMetricsList: {
            data: components["schemas"]["TrainingJobMetrics"][];
            /** @constant */
            object: "list";
        };
        TrainingJobPage: {
            data: components["schemas"]["TrainingJob"][];
            /** @description empty if the page is */
            first_id: string;
            has_more: boolean;
            last_id: string;
            /** @constant */
            object: "list";
        };
        TrainingJobSample: {
            bytes: number;
            id: string;
            /** @description as it was sent; null if it has more than 1 MiB */
            sample: {
                [key: string]: unknown;
            } | null;
        };
        TrainingJobSamplePage: {
            data: components["schemas"]["TrainingJobSample"][];
            /** @description empty if the page is */
            first_id: string;
            has_more: boolean;
            last_id: string;
            /** @constant */
            object: "list";
        };
        Trajectory: {
            additional_histories?: ({
                messages_and_choices: (components["schemas"]["TrajectoryChoice"] | ({
                    role: string;
                } & {
                    [key: string]: unknown;
                }))[];
                tools?: {
                    [key: string]: unknown;
                }[] | null;
            } & {
                [key: string]: unknown;
            })[] | null;
            final_policy_version?: number | null;
            initial_policy_version?: number | null;
            logs?: string[] | null;
            messages_and_choices: (components["schemas"]["TrajectoryChoice"] | ({
                role: string;
            } & {
                [key: string]: unknown;
            }))[];
            metadata?: {
                [key: string]: number | string | boolean | null;
            } | null;
            metrics?: {
                [key: string]: number | boolean;
            } | null;
            reward?: number | null;
            tools?: {
                [key: string]: unknown;
            }[] | null;
        } & {
            [key: string]: unknown;
        };
        /** @description an answer of the model, which it is trained on */
        TrajectoryChoice: {
            finish_reason: string;
            index: number;
            logprobs?: ({
                content?: ({
                    logprob?: number;
                    /** @description by the model to learn from; see distillation_coef */
                    teacher_logprob?: number | null;
                    token: string;
                } & {
                    [key: string]: unknown;
                })[] | null;
            } & {
                [key: string]: unknown;
            }) | null;
            message: {
                content: unknown;
                role: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        TrajectoryGroup: {
            exceptions?: ({
                message: string;
                traceback: string;
                type: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            logs?: string[] | null;
            metadata?: {
                [key: string]: number | string | boolean | null;
            } | null;
            metrics?: {
                [key: string]: number | boolean;
            } | null;
            trajectories: components["schemas"]["Trajectory"][];
        } & {
            [key: string]: unknown;
        };
        TrajectoryGroupExample: {
            trajectories: ({
                reward: number;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        Usage: {
            completion_tokens: number;
            completion_tokens_details?: {
                reasoning_tokens: number;
            } | null;
            prompt_tokens: number;
            prompt_tokens_details?: {
                cached_tokens: number;
            } | null;
            total_tokens: number;
        };
        UsageMetricSpec: {
            /**
             * @default [
             *       "sum"
             *     ]
             */
            aggregations?: components["schemas"]["AggregationType"][];
            /** @enum {string} */
            metric: "input_tokens" | "output_tokens" | "total_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens" | "input_cost" | "output_cost" | "total_cost";
            /** @default [] */
            percentiles?: number[];
        };
        VersionRes: {
            version: string;
        };
    };
    responses: {
        /** @description The route does not support the content type or encoding. */
        BadMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The requested part is beyond the end of the content. */
        BadRange: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The request, or a value in it, is invalid. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The request conflicts with stored data, for example by another digest. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The request does not match its schema. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HTTPValidationError"];
            };
        };
        /** @description The query exceeded a limit of the store. */
        LimitHit: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key is missing, unknown or revoked. */
        NoKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The API key has no right to do this in this project, or the signature of the address is not valid. */
        NoRight: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Not found, or deleted. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The project uses its full share of the service; wait for Retry-After. */
        ShareUsed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large, or has too many items. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The address and the headers are longer than 32 KiB. */
        TooLong: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The query took too long. */
        TooSlow: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The store or the service is unavailable or overloaded; wait for Retry-After. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    landing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                call_id: string;
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    trace_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_versions_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentVersionsQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionsQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_conversation_chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentConversationChatReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentConversationChatRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_conversation_spans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentConversationSpansReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentConversationSpansRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    export_agent_trace: {
        parameters: {
            query?: never;
            header?: {
                /** @description entity/project of spans whose resource lacks platform.entity and platform.project; Basic may have it as user name */
                project_id?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OTelExportRes"];
                    "application/x-protobuf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agents_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentsQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentSearchReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSearchRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_custom_attrs_schema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentCustomAttrsSchemaReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentCustomAttrsSchemaRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_spans_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentSpansQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSpansQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_spans_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentSpanStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSpanStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    agent_trace_chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentTraceChatReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentTraceChatRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    aliases_list: {
        parameters: {
            query: {
                /** @description entity/project */
                project_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AliasesListRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueueCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_read: {
        parameters: {
            query: {
                /** @description entity/project */
                project_id: string;
            };
            header?: never;
            path: {
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueueUpdateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueUpdateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_delete: {
        parameters: {
            query: {
                /** @description entity/project */
                project_id: string;
            };
            header?: never;
            path: {
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_annotators: {
        parameters: {
            query: {
                /** @description entity/project */
                project_id: string;
            };
            header?: never;
            path: {
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueAnnotatorsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_add_calls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueueAddCallsBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueAddCallsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_item_progress_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item_id: string;
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueueItemProgressUpdateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotatorQueueItemsProgressUpdateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queue_items_query: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueueItemsQueryBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueueItemsQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queues_query_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueuesQueryReq"];
            };
        };
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    annotation_queues_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotationQueuesStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnotationQueuesStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    langfuse_ingestion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    batch: ({
                        body?: {
                            [key: string]: unknown;
                        } | null;
                        id: string;
                        /** Format: date-time */
                        timestamp: string;
                        /** @description trace-create, span-create, span-update, generation-create, event-create, score-create, … */
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: {
                            id: string;
                            message: string;
                            status: number;
                        }[];
                        successes: {
                            id: string;
                            status: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    export_trace_of_langfuse: {
        parameters: {
            query?: never;
            header?: {
                /** @description entity/project of spans whose resource lacks platform.entity and platform.project; Basic may have it as user name */
                project_id?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OTelExportRes"];
                    "application/x-protobuf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_end: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallEndReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEndRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallReadReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_start: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallStartReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallStartRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallUpdateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallUpdateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_start_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallCreateBatchReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallCreateBatchRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsDeleteReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallsDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallsQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_query_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsQueryStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallsQueryStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_score: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsScoreReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallsScoreRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_query_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsQueryReq"];
            };
        };
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsUsageReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallsUsageRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    completions_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionsCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletionsCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    completions_create_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletionsCreateReq"];
            };
        };
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    cost_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CostCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    cost_defaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CostDefaultsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostDefaultsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    cost_purge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CostPurgeReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostPurgeRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    cost_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CostQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    dataset_sources_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetSourcesLinkReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetSourcesLinkRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    dataset_sources_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetSourcesQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetSourcesQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    source_datasets_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceDatasetsQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceDatasetsQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluate_model: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluateModelReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluateModelRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    rescore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RescoreReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RescoreRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationStatusReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationStatusRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_aggregate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackAggregateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackAggregateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_create_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackCreateBatchReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackCreateBatchRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_payload_schema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackPayloadSchemaReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackPayloadSchemaRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_purge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackPurgeReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackPurgeRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_replace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackReplaceReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackReplaceRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    feedback_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    file_content: {
        parameters: {
            query?: never;
            header?: {
                /** @description the wanted part of the content */
                Range?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileContentReadReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description the requested part */
            206: {
                headers: {
                    /** @description the position of these bytes, and the total size */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            416: components["responses"]["BadRange"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    file_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    expected_digest?: string | null;
                    file: string;
                    /**
                     * @description entity/project
                     * @example acme/assistant
                     */
                    project_id: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    file_download: {
        parameters: {
            query: {
                expires: number;
                project: string;
                signature: string;
            };
            header?: never;
            path: {
                digest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    files_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FilesStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    files_resolve_url: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description entity/project
                     * @example acme/assistant
                     */
                    project_id: string;
                    /** @description digests of files, or refs of objects that hold a file */
                    uris: string[];
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description in the order of uris */
                        download_urls: string[];
                        /** @default null */
                        expires_at: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_caller_location: {
        parameters: {
            query?: {
                /** @description default: the caller's */
                ip?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allowed: boolean | null;
                        ip: string;
                        location: null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    account_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operationName?: string | null;
                    query: string;
                    variables?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    read_root: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    image_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImageGenerationCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageGenerationCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    model_analysis_listing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelAnalysisList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    router_model_listing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouterModelList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    hardware_listing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HardwareList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    keys_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeysRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    key_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    key_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRevokeRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    link_to_registry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default [] */
                    aliases?: string[];
                    /** @description weave:///entity/project/object/name:digest */
                    ref: string;
                    target: {
                        entity_name: string;
                        /** @description the name of the object in the registry project */
                        portfolio_name: string;
                        project_name: string;
                    };
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the number of the link under its name, from 0 */
                        version_index: number | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjDeleteReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjReadReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_set_aliases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjSetAliasesBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjSetAliasesRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_remove_aliases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjRemoveAliasesBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjRemoveAliasesRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_add_tags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjTagsBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjAddTagsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    obj_remove_tags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjTagsBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjRemoveTagsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    objs_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    export_trace: {
        parameters: {
            query?: never;
            header?: {
                /** @description entity/project of spans whose resource lacks platform.entity and platform.project; Basic may have it as user name */
                project_id?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OTelExportRes"];
                    "application/x-protobuf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    project_conventions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectConventionsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectConventionsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    ingest_sampling_settings_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description entity/project
                     * @example acme/assistant
                     */
                    project_id: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description true: all are stored all the same */
                        dry_run: boolean;
                        /** @description 1: all */
                        sample_rate: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    sensitive_data_settings_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description entity/project
                     * @example acme/assistant
                     */
                    project_id: string;
                };
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        policy: "off" | "pii-v1";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    project_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    ttl_settings_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectTTLSettingsReadReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTTLSettingsReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    ttl_settings_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectTTLSettingsUpdateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTTLSettingsUpdateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    projects_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    refs_read_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefsReadBatchReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefsReadBatchRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    secrets_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    server_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerInfoRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    projects_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectsInfoReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectsInfoRes"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    session_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    session_open: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    session_close: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    sessions_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    sessions_close: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableCreateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_create_from_digests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableCreateFromDigestsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableCreateFromDigestsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableQueryReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_query_stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableQueryStatsReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableQueryStatsRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_query_stats_batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableQueryStatsBatchReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableQueryStatsBatchRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_query_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableQueryReq"];
            };
        };
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    table_update: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TableUpdateReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableUpdateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    tags_list: {
        parameters: {
            query: {
                /** @description entity/project */
                project_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagsListRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    threads_query_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ThreadsQueryReq"];
            };
        };
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    trace_usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TraceUsageReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceUsageRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    create_chat_completion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    create_chat_completion_slash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatCompletionRequest"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    health_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    export_logs: {
        parameters: {
            query?: never;
            header?: {
                /** @description entity/project of spans whose resource lacks platform.entity and platform.project; Basic may have it as user name */
                project_id?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OTelLogsExportRes"];
                    "application/x-protobuf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    export_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    list_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServedModelList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_served_model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description percent-encoded; `artifact:///entity/project/name`, `artifact:///entity/project/name:step5`, an id */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServedModel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    list_trained_models: {
        parameters: {
            query?: {
                /** @description the id of the last item of the previous page */
                after?: string;
                entity?: string;
                limit?: number;
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    create_model: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelCreate"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    delete_model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    list_model_checkpoints: {
        parameters: {
            query?: {
                /** @description the id of the last item of the previous page */
                after?: string;
                limit?: number;
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    delete_model_checkpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckpointsDelete"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointsDeleteResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    download_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
                step: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    log: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelLog"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    create_sft_training_job: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SftJobCreate"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    preview_training_data: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrainingDataPreviewReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingDataPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    list_training_jobs: {
        parameters: {
            query?: {
                /** @description the id of the last item of the previous page */
                after?: string;
                entity?: string;
                kind?: "rl" | "sft";
                limit?: number;
                model_id?: string;
                order?: "asc" | "desc";
                project?: string;
                status?: "queued" | "running" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJobPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    create_rl_training_job: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RlJobCreate"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_training_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                training_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    cancel_training_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                training_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJob"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_training_job_events: {
        parameters: {
            query?: {
                /** @description the id of the last item of the previous page */
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                training_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJobEventPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_training_job_logs: {
        parameters: {
            query?: {
                /** @description the id of the last item of the previous page */
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                training_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJobLogPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_training_job_metrics: {
        parameters: {
            query?: {
                /** @description only steps after this one */
                after?: number;
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                training_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJobMetricsList"];
                    "text/csv": components["schemas"]["TrainingJobMetricsList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    get_training_job_samples: {
        parameters: {
            query?: {
                /** @description the id of the last item of the previous page */
                after?: string;
                limit?: number;
            };
            header?: never;
            path: {
                training_job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingJobSamplePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    system_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemCheck"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    export_trace_at_root: {
        parameters: {
            query?: never;
            header?: {
                /** @description entity/project of spans whose resource lacks platform.entity and platform.project; Basic may have it as user name */
                project_id?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
                "application/x-protobuf": unknown;
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OTelExportRes"];
                    "application/x-protobuf": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_end_v2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallEndV2Req"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEndV2Res"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    call_start_v2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallStartV2Req"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallStartV2Res"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    calls_complete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallsUpsertCompleteReq"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallsUpsertCompleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    dataset_list: {
        parameters: {
            query?: {
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    dataset_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    dataset_delete: {
        parameters: {
            query?: {
                /** @description versions; repeat the parameter for several; default: all */
                digests?: string[];
            };
            header?: never;
            path: {
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    dataset_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    eval_results_query: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvalResultsQueryBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvalResultsQueryRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_run_list: {
        parameters: {
            query?: {
                evaluation_run_ids?: string[];
                /** @description refs; repeat the parameter for several */
                evaluations?: string[];
                limit?: number | null;
                /** @description refs; repeat the parameter for several */
                models?: string[];
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_run_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationRunCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRunCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_run_delete: {
        parameters: {
            query: {
                evaluation_run_ids: string[];
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRunDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_run_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                evaluation_run_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRunReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_run_finish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                evaluation_run_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationRunFinishBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationRunFinishRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_list: {
        parameters: {
            query?: {
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_delete: {
        parameters: {
            query?: {
                /** @description versions; repeat the parameter for several; default: all */
                digests?: string[];
            };
            header?: never;
            path: {
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    evaluation_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    model_list: {
        parameters: {
            query?: {
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    model_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    model_delete: {
        parameters: {
            query?: {
                /** @description versions; repeat the parameter for several; default: all */
                digests?: string[];
            };
            header?: never;
            path: {
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    model_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    op_list: {
        parameters: {
            query?: {
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    op_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    op_delete: {
        parameters: {
            query?: {
                /** @description versions; repeat the parameter for several; default: all */
                digests?: string[];
            };
            header?: never;
            path: {
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    op_read: {
        parameters: {
            query?: {
                /** @description has no effect */
                eager?: boolean;
            };
            header?: never;
            path: {
                digest: string;
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    prediction_list: {
        parameters: {
            query?: {
                evaluation_run_id?: string | null;
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    prediction_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PredictionCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    prediction_delete: {
        parameters: {
            query: {
                prediction_ids: string[];
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    prediction_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                prediction_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    prediction_finish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                prediction_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PredictionFinishRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    runtime_apply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
                runtime_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomRuntimeApplyBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomRuntimeApplyRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    scorer_list: {
        parameters: {
            query?: {
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    scorer_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScorerCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScorerCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    scorer_delete: {
        parameters: {
            query?: {
                /** @description versions; repeat the parameter for several; default: all */
                digests?: string[];
            };
            header?: never;
            path: {
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScorerDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    scorer_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                digest: string;
                entity: string;
                /** @description 1 to 128 letters and digits of any script, `_`, `.` or `-` */
                object_id: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScorerReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    score_list: {
        parameters: {
            query?: {
                evaluation_run_id?: string | null;
                limit?: number | null;
                offset?: number | null;
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a stream of JSON lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    score_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoreCreateBody"];
            };
        };
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreCreateRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["BadMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    score_delete: {
        parameters: {
            query: {
                score_ids: string[];
            };
            header?: never;
            path: {
                entity: string;
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreDeleteRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    score_read: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                entity: string;
                project: string;
                score_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreReadRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["NoRight"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    read_version: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionRes"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ShareUsed"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
    web_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                    "text/css": string;
                    "text/javascript": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["ShareUsed"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            502: components["responses"]["LimitHit"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TooSlow"];
        };
    };
}
