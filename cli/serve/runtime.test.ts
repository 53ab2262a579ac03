import { describe, expect, it } from 'vitest'
import { runtimeProblem, thisRuntime } from './runtime.js'

const linux = { platform: 'linux' }

describe('a runtime', () => {
  it.each([
    ['Node 20 on Debian 12', { ...linux, node: 'v20.20.2', abi: '115', glibc: '2.36' }, undefined],
    ['Node 24 on Debian 13', { ...linux, node: 'v24.1.0', abi: '137', glibc: '2.41' }, undefined],
    [
      'Node 24 on Debian 12',
      { ...linux, node: 'v24.1.0', abi: '137', glibc: '2.36' },
      /needs glibc 2.38.*Node.js 20/,
    ],
    [
      'Node 20 on something old',
      { ...linux, node: 'v20.1.0', abi: '115', glibc: '2.17' },
      /needs glibc 2.27/,
    ],
    ['Node 20 on Alpine', { ...linux, node: 'v20.1.0', abi: '115', glibc: undefined }, /no glibc/],
    ['Node 21', { ...linux, node: 'v21.1.0', abi: '120', glibc: '2.41' }, /no binary.*Node.js 20 or 24/],
    ['Node 24 on macOS', { platform: 'darwin', node: 'v24.1.0', abi: '137', glibc: undefined }, undefined],
  ])('%s', (_, runtime, problem) => {
    if (problem === undefined) expect(runtimeProblem(runtime)).toBeUndefined()
    else expect(runtimeProblem(runtime)).toMatch(problem)
  })

  it.each([
    { ...linux, node: 'v24.1.0', abi: '137', glibc: '2.36' },
    { ...linux, node: 'v21.1.0', abi: '120', glibc: '2.41' },
  ])('$node needs no binary with the server of Node.js', (runtime) => {
    expect(runtimeProblem(runtime, 'uws')).toContain('HEDDLE_HTTP_SERVER=node')
    expect(runtimeProblem(runtime, 'node')).toBeUndefined()
  })

  it('is the one we run on, and it will do', () => {
    expect(thisRuntime().node).toBe(process.version)
    expect(runtimeProblem()).toBeUndefined()
  })
})
