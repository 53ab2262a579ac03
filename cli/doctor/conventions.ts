/** What is understood of a project's spans, for `heddle doctor --project`. */
import type { Seen } from '../../domain/conventions/seen.js'
import type { Finding } from './finding.js'

const SHOWN = 5

export function conventionFindings(project: string, seen: Seen): Finding[] {
  const name = 'conventions'
  if (seen.spans === 0) return [{ name, state: 'ok', text: `${project} has no spans of an exporter` }]
  const counted = seen.conventions.map(({ convention, spans }) => `${convention} (${spans})`)
  const text = `the newest ${seen.spans} spans of ${project}: ${counted.join(', ') || 'none is known'}`
  const findings: Finding[] = [{ name, state: counted.length > 0 ? 'ok' : 'warn', text }]
  const unknown = seen.unknown_attributes.slice(0, SHOWN).map(({ attribute }) => attribute)
  if (unknown.length > 0)
    findings.push({ name, state: 'ok', text: `kept under their own names: ${unknown.join(', ')}` })
  for (const { part, set } of seen.missing)
    findings.push({ name, state: 'warn', text: `no span has ${part}`, todo: `set ${set.join(' or ')}` })
  return findings
}
