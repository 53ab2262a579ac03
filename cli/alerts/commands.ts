/** `heddle alerts` and `heddle channels`. Each loads its code when it is called. */
import type { Command } from 'commander'
import {
  type ClientOptions,
  CONDITION,
  clientCommand,
  clientTarget,
  number,
  repeated,
} from '../client-command.js'
import { showing } from '../shown.js'
import type { AlertOptions, JudgedOptions } from './alerts.js'
import type { ChannelOptions } from './channels.js'

export function alertCommands(heddle: Command): void {
  const alerts = heddle
    .command('alerts')
    .description('watch metrics, and notify people when they cross a threshold')
  showing(
    clientCommand(alerts, 'list <project>', 'list alerts with their states'),
    async (project: string, options: ClientOptions) => {
      const { alertList } = await import('./alerts.js')
      return alertList(await clientTarget(options), project)
    },
  )
  showing(
    judging(clientCommand(alerts, 'preview <project>', 'show what an alert would have judged')),
    async (project: string, options: ClientOptions & JudgedOptions) => {
      const { previewAlert } = await import('./alerts.js')
      return previewAlert(await clientTarget(options), project, options)
    },
  )
  showing(
    judging(
      clientCommand(alerts, 'create <project> <name>', 'make an alert, or replace the one of this name'),
    )
      .option('--empty <meaning>', 'what too few rows mean: ok, keep or alert', 'ok')
      .option('--again <minutes>', 'notify again while it lasts', number)
      .option('--message <text>', 'the text to send; {{name}}, {{value}} and others are filled in')
      .option('--channel <name>', 'a channel to notify; may be repeated', repeated)
      .option('--file <path>', 'a JSON file with all of it, as in /alerts/save'),
    async (project: string, name: string, options: ClientOptions & AlertOptions) => {
      const { createAlert } = await import('./alerts.js')
      return createAlert(await clientTarget(options), project, name, options)
    },
  )
  showing(
    clientCommand(alerts, 'mute <project> <name>', 'silence an alert for a time').option(
      '--for <time>',
      'such as 30m, 8h or 2d; 0m: no longer',
      '1h',
    ),
    async (project: string, name: string, options: ClientOptions & { for: string }) => {
      const { muteAlert } = await import('./alerts.js')
      return muteAlert(await clientTarget(options), project, name, options.for)
    },
  )
  showing(
    clientCommand(alerts, 'delete <project> <name>', 'delete an alert'),
    async (project: string, name: string, options: ClientOptions) => {
      const { deleteAlert } = await import('./alerts.js')
      return deleteAlert(await clientTarget(options), project, name)
    },
  )
  showing(
    clientCommand(alerts, 'history <project> [name]', 'list changes of alerts, and who was notified').option(
      '--limit <count>',
      'how many',
      number,
      50,
    ),
    async (project: string, name: string | undefined, options: ClientOptions & { limit: number }) => {
      const { alertHistory } = await import('./alerts.js')
      return alertHistory(await clientTarget(options), project, name, options.limit)
    },
  )

  const channels = heddle
    .command('channels')
    .description('where notifications go: Slack, webhooks, mail and others')
  showing(
    clientCommand(channels, 'list <project>', 'list notification channels'),
    async (project: string, options: ClientOptions) => {
      const { channelList } = await import('./channels.js')
      return channelList(await clientTarget(options), project)
    },
  )
  showing(
    clientCommand(
      channels,
      'create <project> <name>',
      'make a channel; its address or key is read from standard input',
    )
      .option('--slack', "an incoming webhook of Slack's")
      .option('--webhook', 'a webhook, signed as Standard Webhooks says')
      .option('--pagerduty', 'an integration of Events API v2, by its routing key')
      .option('--github <owner/name>', 'a repository_dispatch event, by a token')
      .option('--mail <address>', 'mail; may be repeated; nothing is read', repeated),
    async (project: string, name: string, options: ClientOptions & ChannelOptions) => {
      const { createChannel } = await import('./channels.js')
      return createChannel(await clientTarget(options), project, name, options, process.stdin)
    },
  )
  showing(
    clientCommand(channels, 'test <project> <name>', 'send a test, and say how it went'),
    async (project: string, name: string, options: ClientOptions) => {
      const { testChannel } = await import('./channels.js')
      return testChannel(await clientTarget(options), project, name)
    },
  )
  showing(
    clientCommand(channels, 'delete <project> <name>', 'delete a channel, with its address or key'),
    async (project: string, name: string, options: ClientOptions) => {
      const { deleteChannel } = await import('./channels.js')
      return deleteChannel(await clientTarget(options), project, name)
    },
  )
}

/** What is watched, and when it is beyond a threshold. */
const judging = (command: Command): Command =>
  command
    .option('--metric <name>', 'of calls: latency_ms, error_count, call_count, total_cost, total_tokens, …')
    .option('--feedback <type>', 'values in feedback of this type')
    .option('--path <path>', 'of the value in the feedback; default: output')
    .option('--sql <statement>', 'a SELECT of a column called value; see `heddle sql`')
    .option(
      '--of <aggregation>',
      'avg, sum, min, max, count, count_true, count_false, or a percentile such as p95',
      'avg',
    )
    .option('--op <name>', 'only calls of this op; may be repeated', repeated)
    .option('--where <condition>', CONDITION)
    .option('--by <grouping>', 'judge each op, model, user, …, or value of feedback by itself')
    .option('--window <time>', 'how far back, such as 5m, 1h or 7d', '15m')
    .option('--above <number>', 'alert when the value is more', number)
    .option('--below <number>', 'alert when the value is less', number)
    .option('--warn <number>', 'warn from this value on', number)
    .option('--least <count>', 'do not judge a value of fewer rows', number)
