/** Icons, drawn on a grid of 16. Those beside a text are hidden from readers. */
const PATHS = {
  calls: 'M2 4h12M4 8h10M6 12h8',
  threads: 'M3 3h10v7H8l-3 3v-3H3z',
  agents: 'M4 6h8v7H4zM8 6V3M6.500 9h.01M9.500 9h.01M6.500 11h3M2 8.500v2M14 8.500v2',
  dashboards: 'M2 3h5v4H2zM9 3h5v7H9zM2 9h5v4H2zM9 12h5v1H9z',
  evaluations: 'M3 13V8M8 13V3M13 13V6',
  datasets: 'M2 4h12v9H2zM2 7h12M6 7v6',
  objects: 'M8 2l5.5 3v6L8 14l-5.5-3V5zM2.5 5L8 8l5.5-3M8 8v6',
  annotation: 'M3 2.5h10v11H3zM5.500 6l1.200 1.200L9 5M5.500 10.500h5',
  feedback: 'M8 13S2.5 9.8 2.5 6A2.8 2.8 0 0 1 8 5a2.8 2.8 0 0 1 5.5 1C13.5 9.8 8 13 8 13z',
  training: 'M2 13c3 0 3-9 6-9s2 5 6 5',
  rules: 'M9 1.500L3.500 9H8l-1 5.500L12.500 7H8z',
  home: 'M2.5 8L8 3l5.5 5M4 7v6h8V7',
  prompt: 'M3 2.500h7l3 3v8H3zM5.500 7h5M5.500 9.500h5M9.500 2.500v3.500H13',
  terminal: 'M2 3h12v10H2zM4.500 6l2 2-2 2M8.500 10.500h3',
  pulse: 'M1.500 8.500h3L6.500 3.500l3 9 2-4h3',
  bell: 'M4 11.500V7a4 4 0 0 1 8 0v4.500zM2.500 11.500h11M7 13.500h2',
  reload: 'M13 8a5 5 0 1 1-1.500-3.500L13 6M13 2.500V6H9.500',
  collapse: 'M3 8h10M5.500 2.500L8 5l2.500-2.500M5.500 13.500L8 11l2.500 2.500',
  expand: 'M3 8h10M5.500 5L8 2.500 10.500 5M5.500 11L8 13.500l2.500-2.500',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4L6 8l4 4',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  sun: 'M8 10.8A2.8 2.8 0 1 0 8 5.200a2.800 2.800 0 0 0 0 5.600zM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M12.600 3.400l-1 1M4.400 11.600l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 1 1 6.500 3a4.500 4.500 0 0 0 6.500 6.500z',
  user: 'M8 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 14c0-3 2-4.500 5-4.500s5 1.500 5 4.500',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.01M6.500 6.500h.01M9 6.500h.01M11.500 6.500h.01M5 9.500h6',
  columns: 'M2 3h12v10H2zM6 3v10M10 3v10',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  facets: 'M2 3h4v10H2zM9 4h5M9 8h5M9 12h5',
  play: 'M5 3l8 5-8 5z',
  pause: 'M5 3v10M11 3v10',
  trash: 'M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.5 8.500h6l.5-8.500',
  error: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.500M8 11h.01',
  star: 'M8 2l1.800 3.900 4.200.500-3.100 2.900.800 4.200L8 11.400l-3.700 2.100.800-4.200L2 6.400l4.200-.500z',
  link: 'M6.500 9.500l3-3M7 5l1.500-1.500a2.800 2.800 0 0 1 4 4L11 9M9 11l-1.500 1.500a2.800 2.800 0 0 1-4-4L5 7',
  download: 'M8 2v8M5 7.500L8 10.500l3-3M3 13h10',
  up: 'M4 10l4-4 4 4',
  settings: 'M2 5h6M11 5h3M2 11h3M8 11h6M9.500 3.500v3M6.500 9.500v3',
  key: 'M6 10a3.500 3.500 0 1 1 3-3l5 0v3h-2v-1.500M4.500 7h.01',
  model: 'M8 2.500l1.300 4.200L13.500 8l-4.200 1.300L8 13.500l-1.300-4.200L2.500 8l4.200-1.300z',
  tool: 'M9.500 2.500a3.500 3.500 0 0 0-2.800 5.300L2.500 12l1.500 1.500 4.200-4.200a3.500 3.500 0 0 0 4.800-4.300L11 7 9 5l2-2a3.500 3.500 0 0 0-1.500-.500z',
  step: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  menu: 'M2 4h12M2 8h12M2 12h12',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label, or is hidden
    <svg
      className="icon"
      viewBox="0 0 16 16"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
