import * as contract from '../../contract/notifications.js'
import type { ProjectRegister } from '../../domain/projects/register.js'
import { errors } from '../../platform/errors/catalog.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import type { Channels } from './channels.js'
import type { Sender } from './sender.js'

export interface NotificationParts {
  channels: Channels
  sender: Sender
  register: ProjectRegister
  urlOf: (project: string) => string
}

export function notificationRoutes({ channels, sender, register, urlOf }: NotificationParts): Bound[] {
  return [
    serve(contract.channelSave, async ({ body, principal }) => {
      const { project_id: project, name, channel } = body
      sender.check(channel)
      await register.note([project])
      const secret = await channels.save(project, name, channel, principal.userId)
      return { name, signing_secret: secret }
    }),
    serve(contract.channelsQuery, async ({ body }) => {
      const all = await channels.list(projectIdOf(body.project_id))
      return {
        channels: all.map(({ createdAt, ...one }) => ({ ...one, created_at: isoOfMicros(createdAt) })),
      }
    }),
    serve(contract.channelDelete, async ({ body, principal }) => {
      const { project_id: project, channel } = body
      if (!(await channels.remove(project, channel, principal.userId)))
        throw errors.notFound(`Notification channel ${channel}`)
      return { name: channel }
    }),
    serve(contract.channelTest, async ({ body }) => {
      const { project_id: project, channel } = body
      const known = await channels.list(projectIdOf(project))
      if (known.every(({ name }) => name !== channel))
        throw errors.notFound(`Notification channel ${channel}`)
      const text = `Test: this channel, ${channel}, gets the alerts of ${project}.`
      const notice = { id: uuid7(), at: nowMicros(), text, project, url: urlOf(project) }
      const { delivered, problem } = await sender.send(project, channel, notice)
      return { delivered, problem: problem || null }
    }),
  ]
}
