export function Traces() {
  return <p>traces</p>
}
