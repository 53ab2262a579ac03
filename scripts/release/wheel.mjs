// The wheel `heddle-model-server`: the Python package with its stubs. What it needs is what model-server/requirements*.in pin:
// the extra `cpu` or `gpu` adds the engine.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeBom } from './bom.mjs'

const REQUIREMENTS = 'scripts/release/requirements.txt'

/** What people chose, above the first empty line; what that needs is below it. */
function pinned(list) {
  const [chosen] = readFileSync(join('model-server', list), 'utf8').split('\n\n')
  return chosen.split('\n').filter((line) => /^[a-z]/i.test(line))
}

/** A Python with the tools, made once for each content of their list. @returns its path */
function tools(work) {
  const place = join(work, 'python')
  const python = join(place, 'bin/python')
  const grpc = pinned('requirements.in').find((line) => line.startsWith('grpcio-tools=='))
  const wanted = `${readFileSync(REQUIREMENTS, 'utf8')}${grpc}\n`
  const stamp = join(place, '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python
  rmSync(place, { recursive: true, force: true })
  execFileSync('python3', ['-m', 'venv', place])
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS, grpc]
  execFileSync(python, install, { stdio: 'inherit' })
  writeFileSync(stamp, wanted)
  return python
}

function project(version) {
  const [cpu, gpu] = [pinned('requirements.in'), pinned('requirements-gpu.in')]
  const both = cpu.filter((line) => gpu.includes(line))
  const list = (lines) => `[${lines.map((line) => `"${line}"`).join(', ')}]`
  return `[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "heddle-model-server"
version = "${version}"
description = "Serves and trains the models of a Heddle installation."
readme = "README.md"
license = "Apache-2.0"
requires-python = ">=3.11"
dependencies = ${list(both)}

[project.optional-dependencies]
cpu = ${list(cpu.filter((line) => !both.includes(line)))}
gpu = ${list(gpu.filter((line) => !both.includes(line)))}

[project.scripts]
heddle-model-server = "heddle_model_server.__main__:main"

[tool.hatch.build.targets.wheel]
packages = ["heddle_model_server", "heddle"]
`
}

/** Writes `heddle_model_server-VERSION-py3-none-any.whl`, and the list of packages for each engine. */
export function wheel({ out, work, version, seconds }) {
  const python = tools(work)
  const folder = join(work, 'model-server')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync('model-server/heddle_model_server', join(folder, 'heddle_model_server'), {
    recursive: true,
    filter: (path) => !path.endsWith('__pycache__'),
  })
  cpSync('scripts/release/README.wheel.md', join(folder, 'README.md'))
  cpSync('LICENSE', join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'pyproject.toml'), project(version))
  const protos = readdirSync('proto/heddle/node/v1').filter((file) => file.endsWith('.proto'))
  const stubs = ['--python_out', '--grpc_python_out'].map((flag) => `${flag}=${folder}`)
  const sources = protos.map((file) => `proto/heddle/node/v1/${file}`)
  execFileSync(python, ['-m', 'grpc_tools.protoc', '-Iproto', ...stubs, ...sources])
  execFileSync(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', out], {
    cwd: folder,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const [engine, list] of [
    ['cpu', 'requirements.txt'],
    ['gpu', 'requirements-gpu.txt'],
  ]) {
    const asked = [
      '-m',
      'cyclonedx_py',
      'requirements',
      '--of',
      'JSON',
      '--output-reproducible',
      join('model-server', list),
    ]
    const bom = execFileSync(python, asked, {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    writeBom(join(out, `heddle-model-server-${version}-${engine}.cdx.json`), bom)
  }
}
