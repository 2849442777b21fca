// SPDX-License-Identifier: MIT
// Small line drawings, 20 × 20, in the colour of the words beside them.

const kPaths = {
  play: 'M6 4l10 6-10 6z',
  pause: 'M6 4h3v12H6zM11 4h3v12h-3z',
  step_back: 'M15 4L8 10l7 6zM5 4h2v12H5z',
  step_on: 'M5 4l7 6-7 6zM13 4h2v12h-2z',
  to_start: 'M4 4h2v12H4zM16 4l-5 6 5 6zM11 4L6 10l5 6z',
  to_end: 'M14 4h2v12h-2zM4 4l5 6-5 6zM9 4l5 6-5 6z',
} as const;

const kLines = {
  undo: 'M8 5L4 9l4 4M4 9h8a4 4 0 0 1 0 8h-2',
  redo: 'M12 5l4 4-4 4M16 9H8a4 4 0 0 0 0 8h2',
  top: 'M10 3v8M7 8l3 3 3-3M4 15h12',
  follow: 'M10 6a2 2 0 1 0 0-.01M6 17v-3a4 4 0 0 1 8 0v3M3 5V3h2M17 5V3h-2M3 15v2h2M17 15v2h-2',
  walk: 'M11 4a1.2 1.2 0 1 0 0-.01M10 7l-2 5 3 2v4M8 12l-2 5M10 7l3 3h2',
  home: 'M3 10l7-6 7 6M5 9v8h10V9',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  turn_left: 'M5 10a5 5 0 1 1 2 4M5 5v5h5',
  turn_right: 'M15 10a5 5 0 1 0-2 4M15 5v5h-5',
  layers: 'M10 3l7 4-7 4-7-4zM3 11l7 4 7-4',
  walls: 'M3 6h14v9H3zM3 10.500h14M8 6v4.500M13 10.500V15M6 10.500V15',
  share: 'M10 12V3M7 6l3-3 3 3M5 10v7h10v-7',
  chart: 'M3 16h14M5 13l3-4 3 2 4-6',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l4 4',
  close: 'M5 5l10 10M15 5L5 15',
  sun: 'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10 2v2M10 16v2M2 10h2M16 10h2M4.300 4.300l1.400 1.400M14.300 14.300l1.400 1.400M15.700 4.300l-1.400 1.400M5.700 14.300l-1.400 1.400',
  moon: 'M15 12A6 6 0 0 1 8 4a6.500 6.500 0 1 0 7 8z',
  branch: 'M6 4v12M6 11c5 0 8-1 8-5M14 6V4M6 4.010M14 3.500a1 1 0 1 0 0 .01',
  warning: 'M10 3l8 14H2zM10 8v4M10 14.500v.5',
  trash: 'M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11',
  obstacle: 'M4 7h12v9H4zM4 7l3-3h12l-3 3',
  door: 'M5 17V4h8v13M3 17h14M11 10.500v.5',
  area: 'M4 5h12v10H4z',
  goal: 'M6 17V3M6 4h9l-2 3 2 3H6',
  people: 'M7 7a2 2 0 1 0 0-.01M3 16v-2a4 4 0 0 1 8 0v2M14 8a1.500 1.500 0 1 0 0-.01M13 12a3 3 0 0 1 4 3v1',
  folder: 'M3 5h5l2 2h7v9H3z',
  source: 'M3 10h9M9 6l4 4-4 4M16 4v12',
  region: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 9v2M9 10h2',
  vehicle: 'M3 12V9l2-4h10l2 4v3zM3 12v3h2v-3M15 12v3h2v-3M3 9h14',
  line: 'M4 16L16 4M4 13v3h3M13 4h3v3',
  select: 'M5 3l10 8-5 .5L7.500 16z',
  save: 'M4 4h9l3 3v9H4zM7 4v4h5V4M7 16v-5h6v5',
} as const;

export type IconName = keyof typeof kPaths | keyof typeof kLines;

export function Icon({ name }: { name: IconName }) {
  const filled = name in kPaths;
  const path = filled ? kPaths[name as keyof typeof kPaths] : kLines[name as keyof typeof kLines];
  return (
    <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={path} fill={filled ? 'currentColor' : 'none'} stroke={filled ? 'none' : 'currentColor'} stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
