/** Users, and who may do what where, as far as who is signed in may know. */
import { post, type Schemas, setCsrfToken } from './client'
import { signings } from './session'

/**
 * Accepts an invitation as who is signed in, or else as a new user, who is signed in by that.
 * @param asked.username of a new user, where the invitation names no address
 */
export async function acceptInvitation(asked: Schemas['AcceptReq']): Promise<void> {
  const { csrf_token: token } = await post('/invitations/accept', asked)
  if (token === null) return
  setCsrfToken(token)
  signings.postMessage('in')
}
