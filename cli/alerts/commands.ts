/** `heddle alerts` and `heddle channels`. */
import type { Command } from 'commander'
import { CONDITION, clientGroup, number, repeated } from '../client-command.js'

export function alertCommands(heddle: Command): void {
  const alerts = clientGroup(
    heddle.command('alerts').description('watch metrics, and notify people when they cross a threshold'),
    () => import('./alerts.js'),
  )
  alerts.show('list <project>', 'list alerts with their states', 'alertList')
  alerts.show('preview <project>', 'show what an alert would have judged', 'previewAlert', judging)
  alerts.show(
    'create <project> <name>',
    'make an alert, or replace the one of this name',
    'createAlert',
    (command) =>
      judging(command)
        .option('--empty <meaning>', 'what too few rows mean: ok, keep or alert', 'ok')
        .option('--again <minutes>', 'notify again while it lasts', number)
        .option('--message <text>', 'the text to send; {{name}}, {{value}} and others are filled in')
        .option('--channel <name>', 'a channel to notify; may be repeated', repeated)
        .option('--file <path>', 'a JSON file with all of it, as in /alerts/save'),
  )
  alerts.show('mute <project> <name>', 'silence an alert for a time', 'muteAlert', (command) =>
    command.option('--for <time>', 'such as 30m, 8h or 2d; 0m: no longer', '1h'),
  )
  alerts.show('delete <project> <name>', 'delete an alert', 'deleteAlert')
  alerts.show(
    'history <project> [name]',
    'list changes of alerts, and who was notified',
    'alertEvents',
    (command) => command.option('--limit <count>', 'how many', number, 50),
  )

  const channels = clientGroup(
    heddle.command('channels').description('where notifications go: Slack, webhooks, mail and others'),
    () => import('./channels.js'),
  )
  channels.show('list <project>', 'list notification channels', 'channelList')
  channels.show(
    'create <project> <name>',
    'make a channel; its address or key is read from standard input',
    'createChannel',
    (command) =>
      command
        .option('--slack', "an incoming webhook of Slack's")
        .option('--webhook', 'a webhook, signed as Standard Webhooks says')
        .option('--pagerduty', 'an integration of Events API v2, by its routing key')
        .option('--github <owner/name>', 'a repository_dispatch event, by a token')
        .option('--mail <address>', 'mail; may be repeated; nothing is read', repeated),
  )
  channels.show('test <project> <name>', 'send a test, and say how it went', 'testChannel')
  channels.show('delete <project> <name>', 'delete a channel, with its address or key', 'deleteChannel')
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
