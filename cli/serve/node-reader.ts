/** Reads the model nodes that workers announce, for the lists of the tracing interface. */
import type { Redis } from 'ioredis'
import { type Announcement, nodesUp, readAnnouncement } from '../../domain/chat/node-announcement.js'
import { failFastConnection } from '../../platform/redis/connection.js'
import { NODES_KEY } from '../../platform/redis/names.js'
import type { ModelNode } from '../../resources/inference/nodes.js'

export class NodeReader {
  private readonly redis: Redis

  /** @param url of Redis */
  constructor(url: string) {
    this.redis = failFastConnection(url)
  }

  /** The nodes that are up now; none while Redis is unreachable. */
  readonly nodes = async (): Promise<readonly ModelNode[]> => {
    const all = await this.redis.hvals(NODES_KEY).catch(() => [])
    return nodesUp(
      all.flatMap((text) => readAnnouncement(text) ?? []),
      Date.now(),
    ).map(modelNode)
  }

  close(): void {
    this.redis.disconnect()
  }
}

/** A node as the lists show it. */
function modelNode(node: Announcement): ModelNode {
  return {
    id: node.node,
    upSince: Math.floor(node.since / 1000),
    accelerator: node.device,
    accelerators: 1,
    memoryBytes: node.memoryBytes,
    models: [
      {
        id: node.model,
        chats: !node.embeds,
        contextLength: node.contextLength || null,
        adapters: node.maxAdapters > 0,
        requestsRunning: node.running,
        tokensPerSecond: node.tokensPerSecond,
        timeToFirstTokenMs: node.firstTokenMs,
      },
    ],
  }
}
