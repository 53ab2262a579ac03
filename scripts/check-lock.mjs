// Checks the lock files: every package has an integrity hash and no registry's address, licences are compatible with
// ours, package.json has exact versions, Python packages have hashes, and the HTTP server comes from ADR 0001's source.
import { readdirSync, readFileSync } from 'node:fs'

const LICENCES = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 CC-BY-3.0 CC-BY-4.0 ISC MIT MIT-0 MPL-2.0 PSF-2.0 Python-2.0 Unlicense Zlib'.split(
    ' ',
  ),
)
/** Packages whose known licence is missing from their metadata. */
const KNOWN = {}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const { packages } = read('package-lock.json')
const { dependencies, devDependencies } = read('package.json')
const web = read('web/package.json')
const problems = []

const allowed = (licence) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(/ OR /i)
    .some((one) => one.split(/ AND /i).every((part) => LICENCES.has(part.trim())))

for (const [path, entry] of [
  packages,
  read('web/package-lock.json').packages,
  read('docs/package-lock.json').packages,
].flatMap(Object.entries)) {
  if (path === '' || entry.link) continue
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  if (entry.resolved)
    problems.push(`${path} has the address ${entry.resolved}; run npm install with this folder's .npmrc`)
  if (!entry.integrity && !entry.inBundle) problems.push(`${path} has no integrity`)
  const licence = entry.license ?? KNOWN[name]
  if (!licence || !allowed(licence))
    problems.push(
      `${path} has the licence ${licence ?? '(none given)'}; look at it, then say so in scripts/check-lock.mjs`,
    )
}
// What only tests run may have any licence.
for (const folder of [
  'test/clients/js',
  'test/clients/js-frameworks',
  'test/instrumentations/requirements/command-line',
]) {
  for (const [path, { resolved, integrity }] of Object.entries(
    read(`${folder}/package-lock.json`).packages,
  )) {
    if (path === '') continue
    if (resolved)
      problems.push(`${folder}: ${path} has the address ${resolved}; run npm install with its .npmrc`)
    if (!integrity) problems.push(`${folder}: ${path} has no integrity`)
  }
}
for (const [name, version] of [dependencies, devDependencies, web.dependencies, web.devDependencies].flatMap(
  Object.entries,
)) {
  if (!/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    problems.push(`package.json: ${name} is "${version}", not an exact version`)
}
if (packages['node_modules/uWebSockets.js']?.name !== '@based/uws')
  problems.push('uWebSockets.js is not what docs/adr/0001-uwebsockets.md says')

// A user's installation has the compiler and no other tool.
const compiler = /^COMPILER := (.*)$/m.exec(readFileSync('Makefile', 'utf8'))[1].split(' ')
for (const name of Object.keys(devDependencies)) {
  const typed = /^@types\/(.*)/.exec(name)?.[1]
  if (typed in dependencies && !compiler.includes(name))
    problems.push(`users compile with ${name}: name it in COMPILER of the Makefile`)
}

for (const file of readdirSync('model-server').filter((name) => /^requirements.*\.txt$/.test(name))) {
  const text = readFileSync(`model-server/${file}`, 'utf8').replaceAll('\\\n', '')
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    if (!/^[\w.-]+==[\w.+]+( ; [^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+$/.test(line))
      problems.push(
        `model-server/${file}: "${line.slice(0, 60)}" has no exact version with hashes; run scripts/python-lock.sh`,
      )
  }
}

for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
