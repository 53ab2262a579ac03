/** Which build of torch `scripts/model-server.sh` installs: the script itself, with stand-ins for what it runs. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/model-server.sh', import.meta.url))
let root: string

/** Says what it was asked for; `-m venv` makes another one of itself. */
const PYTHON = `#!/bin/bash
echo "python $*" >> "$LOG"
case "$*" in
  "-m venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
  *importlib*) cat "$LOG.built" 2> /dev/null ;;
  *sysconfig*) echo "$PWD/.venv" ;;
esac`
/** A uv that reaches torch's own index where REACHES is 0. */
const UV = `#!/bin/bash
echo "uv $*" >> "$LOG"
[[ "$*" != *--dry-run* ]] || exit "$REACHES"`

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-torch-'))
  for (const folder of ['scripts', 'bin', 'model-server', 'proto/heddle/node/v1'])
    mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(script, join(root, 'scripts/model-server.sh'))
  for (const [name, text] of Object.entries({
    python3: PYTHON,
    uv: UV,
    'nvidia-smi': '#!/bin/bash\nexit "$GPU"',
    uname: '#!/bin/bash\n[[ $1 == -m ]] && echo "$MACHINE" || echo Linux',
  })) {
    writeFileSync(join(root, 'bin', name), text)
    chmodSync(join(root, 'bin', name), 0o755)
  }
  const lists = {
    '': 'torch==2.0.0',
    '-cpu': 'torch==2.0.0+cpu',
    '-cuda': 'nvidia-cuda-runtime==1\ntriton==2',
    '-gpu': 'vllm==3',
    '-test': 'pytest==1',
  }
  for (const [name, text] of Object.entries(lists))
    writeFileSync(join(root, `model-server/requirements${name}.txt`), `${text}\n`)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

interface Machine {
  gpu: boolean
  reaches: boolean
  /** default: x86_64 */
  machine?: string
  /** the build that is there already */
  built?: 'cpu' | 'cuda'
  env?: NodeJS.ProcessEnv
}

/** What one run of the script installs and removes. */
function installed({ gpu, reaches, machine = 'x86_64', built, env = {} }: Machine): string[] {
  const log = join(root, 'log')
  rmSync(log, { force: true })
  writeFileSync(log, '')
  writeFileSync(`${log}.built`, built ?? '')
  execFileSync('bash', [join(root, 'scripts/model-server.sh')], {
    env: {
      ...{ PATH: `${join(root, 'bin')}:/usr/bin:/bin`, LOG: log, ...env },
      ...{ GPU: gpu ? '0' : '1', REACHES: reaches ? '0' : '2', MACHINE: machine },
    },
    stdio: 'pipe',
  })
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines
    .filter((line) => /^uv|uninstall/.test(line) && !line.includes('--dry-run'))
    .map((line) => line.replace(/^(uv pip install|python -m pip) --quiet (--python \S+ )?/, ''))
}

const CPU = '--torch-backend cpu --no-deps --require-hashes -r requirements-cpu.txt'
const REST = '--require-hashes -r requirements.txt'
const GPU = '--require-hashes -r requirements-gpu.txt'
const CUDA = '--require-hashes -r requirements.txt -r requirements-cuda.txt'
const STUBS = '--no-deps --require-hashes -r requirements.txt -r .venv/.requirements-cudart.txt'

it.each<[string, Machine, string[]]>([
  ['without a GPU it is the small one', { gpu: false, reaches: true }, [CPU, REST]],
  ['with a GPU it is vLLM with its own', { gpu: true, reaches: true }, [GPU]],
  [
    "where the small one can't be had, it is the other without CUDA's libraries",
    { gpu: false, reaches: false },
    [STUBS],
  ],
  ['and with them on another processor', { gpu: false, reaches: false, machine: 'aarch64' }, [CUDA]],
  [
    'an image for GPUs is built without one',
    { gpu: false, reaches: true, env: { HEDDLE_TORCH: 'cuda' } },
    [GPU],
  ],
  [
    'an index that is named gives it',
    { gpu: false, reaches: true, env: { HEDDLE_TORCH_INDEX: 'x:/y' } },
    ['--index-url x:/y torch==2.0.0', REST],
  ],
])('%s', (_what, machine, wanted) => {
  expect(installed(machine)).toEqual(wanted)
  expect(installed(machine)).toEqual([])
})

it('another build goes first, with what only it needs', () => {
  const uninstall = 'python -m pip uninstall --quiet --yes nvidia-cuda-runtime triton torch'
  expect(installed({ gpu: false, reaches: true, built: 'cuda' })).toEqual([uninstall, CPU, REST])
  expect(installed({ gpu: true, reaches: true, built: 'cpu' })).toEqual([uninstall, GPU])
  expect(installed({ gpu: false, reaches: false, built: 'cuda' })).toEqual([STUBS])
})
