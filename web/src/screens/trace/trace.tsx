export function Trace() {
  return <p>trace</p>
}
