// Takes out of node_modules what the image can not use: the HTTP server's binaries for other systems and versions of
// Node.js and, unless it is told otherwise, the embedded engine. Run in the folder that node_modules is in.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const embedded = process.argv[2] === 'true'
const server = 'node_modules/uWebSockets.js'
const wanted = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

const binaries = readdirSync(server).filter((file) => file.endsWith('.node'))
if (!binaries.includes(wanted)) throw new Error(`${server} has no ${wanted}`)
for (const file of binaries) if (file !== wanted) rmSync(join(server, file))
if (!embedded) rmSync('node_modules/@chdb', { recursive: true, force: true })
rmSync('slim.mjs')
