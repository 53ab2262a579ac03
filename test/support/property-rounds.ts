/** Makes property tests that name no number of runs try more inputs when more rounds are asked for. */
import fc from 'fast-check'
import { rounds } from './rounds.js'

fc.configureGlobal({ numRuns: rounds(100) })
