/** `heddle alerts` and `heddle channels`. Each loads its code when it is called. */
import type { Command } from 'commander'
import { CONDITION, clientCommand, number, repeated, showingFrom } from '../client-command.js'
import type { AlertOptions, JudgedOptions } from './alerts.js'
import type { ChannelOptions } from './channels.js'

const loadAlerts = () => import('./alerts.js')
const loadChannels = () => import('./channels.js')

export function alertCommands(heddle: Command): void {
  const alerts = heddle
    .command('alerts')
    .description('watch metrics, and notify people when they cross a threshold')
  showingFrom(
    clientCommand(alerts, 'list <project>', 'list alerts with their states'),
    loadAlerts,
    (code, to, project: string) => code.alertList(to, project),
  )
  showingFrom(
    judging(clientCommand(alerts, 'preview <project>', 'show what an alert would have judged')),
    loadAlerts,
    (code, to, project: string, options: JudgedOptions) => code.previewAlert(to, project, options),
  )
  showingFrom(
    judging(
      clientCommand(alerts, 'create <project> <name>', 'make an alert, or replace the one of this name'),
    )
      .option('--empty <meaning>', 'what too few rows mean: ok, keep or alert', 'ok')
      .option('--again <minutes>', 'notify again while it lasts', number)
      .option('--message <text>', 'the text to send; {{name}}, {{value}} and others are filled in')
      .option('--channel <name>', 'a channel to notify; may be repeated', repeated)
      .option('--file <path>', 'a JSON file with all of it, as in /alerts/save'),
    loadAlerts,
    (code, to, project: string, name: string, options: AlertOptions) =>
      code.createAlert(to, project, name, options),
  )
  showingFrom(
    clientCommand(alerts, 'mute <project> <name>', 'silence an alert for a time').option(
      '--for <time>',
      'such as 30m, 8h or 2d; 0m: no longer',
      '1h',
    ),
    loadAlerts,
    (code, to, project: string, name: string, options: { for: string }) =>
      code.muteAlert(to, project, name, options.for),
  )
  showingFrom(
    clientCommand(alerts, 'delete <project> <name>', 'delete an alert'),
    loadAlerts,
    (code, to, project: string, name: string) => code.deleteAlert(to, project, name),
  )
  showingFrom(
    clientCommand(alerts, 'history <project> [name]', 'list changes of alerts, and who was notified').option(
      '--limit <count>',
      'how many',
      number,
      50,
    ),
    loadAlerts,
    (code, to, project: string, name: string | undefined, options: { limit: number }) =>
      code.alertHistory(to, project, name, options.limit),
  )

  const channels = heddle
    .command('channels')
    .description('where notifications go: Slack, webhooks, mail and others')
  showingFrom(
    clientCommand(channels, 'list <project>', 'list notification channels'),
    loadChannels,
    (code, to, project: string) => code.channelList(to, project),
  )
  showingFrom(
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
    loadChannels,
    (code, to, project: string, name: string, options: ChannelOptions) =>
      code.createChannel(to, project, name, options, process.stdin),
  )
  showingFrom(
    clientCommand(channels, 'test <project> <name>', 'send a test, and say how it went'),
    loadChannels,
    (code, to, project: string, name: string) => code.testChannel(to, project, name),
  )
  showingFrom(
    clientCommand(channels, 'delete <project> <name>', 'delete a channel, with its address or key'),
    loadChannels,
    (code, to, project: string, name: string) => code.deleteChannel(to, project, name),
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
