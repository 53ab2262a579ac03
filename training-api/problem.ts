/** The errors of this interface: chat's, which training shares. */
export { problemBody, problems } from '../domain/chat/problem.js'
