/** The errors of this interface: those of chat, which training shares. */
export { problemBody, problems } from '../domain/chat/problem.js'
