/** What this thread was told to do with calls before they are stored. */
import { workerData } from 'piscina'
import { type Arrival, AS_SENT } from '../../domain/calls/arrival.js'

export const arrival: Arrival = (workerData as Arrival | undefined) ?? AS_SENT
