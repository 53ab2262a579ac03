/** Runs for each file of flows: modules are loaded once for all, so a hook in one of them would end the first file's pages only. */
import { afterAll } from 'vitest'
import { closePages } from './chromium.js'

afterAll(closePages)
