/** Charts of uPlot that are as wide as the element that they are in. */
import type uPlot from 'uplot'

/** Keeps a chart as wide as its element. @returns ends both, as an effect wants it */
export function fitPlot(plot: uPlot, element: HTMLElement, height: number): () => void {
  const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
  observer.observe(element)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}
