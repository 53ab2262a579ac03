/** The errors of this interface: those of chat, which training shares. */
export { problemBody, problems } from '../common/chat/problem.js'
