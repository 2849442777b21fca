// SPDX-License-Identifier: MIT
// Colours of the scene. Quantities are viridis-like ramps, kinds are Okabe & Ito's, speed is blue (slow) → amber → white (at preferred speed).
import { Color } from 'three';

export type Rgba = readonly [number, number, number, number];

/** "#rrggbb" or "#rrggbbaa", as linear numbers for vertex colours. */
export function rgba(text: string, opacity = 1): Rgba {
  const color = new Color(text.slice(0, 7));
  const alpha = text.length >= 9 ? parseInt(text.slice(7, 9), 16) / 255 : 1;
  return [color.r, color.g, color.b, alpha * opacity];
}

export const kKindColors = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#f0e442', '#6e7781'] as const;
/** The same hues, light enough for a dark page. */
export const kKindsOnDark = ['#56b4e9', '#ff8c42', '#2fd0a0', '#e79cc4', '#f5c04a', '#8ecdf2', '#f0e442', '#a8b3bf'] as const;
export const kLevelColors = ['#d55e00', '#e69f00', '#6e7781'] as const;
export const kAloneColor = '#8b949e';
type Stops = readonly [number, string][];
/** Whoever stands must be seen on a dark floor too. */
const kSpeedStops: { light: Stops; dark: Stops } = {
  light: [[0, '#1f5fa8'], [0.35, '#4f93c9'], [0.65, '#f0a63a'], [1, '#fdf6e8']],
  dark: [[0, '#4c9be8'], [0.35, '#8dc3f0'], [0.65, '#f5ab3d'], [1, '#fff9ee']],
};


function ramp(stops: Stops, size: number): Float32Array {
  const table = new Float32Array(size * 3);
  const color = new Color();
  const next = new Color();
  for (let k = 0; k < size; k++) {
    const at = k / (size - 1);
    const upper = Math.max(1, stops.findIndex(([stop]) => stop >= at));
    const [low, low_color] = stops[upper - 1] as [number, string];
    const [high, high_color] = stops[upper] as [number, string];
    color.set(low_color).lerp(next.set(high_color), (at - low) / (high - low));
    table.set([color.r, color.g, color.b], k * 3);
  }
  return table;
}

export function css_speed_ramp(dark: boolean): string {
  return `linear-gradient(90deg, ${kSpeedStops[dark ? 'dark' : 'light'].map(([at, color]) => `${color} ${at * 100}%`).join(', ')})`;
}

/** The selected person, whatever the others are coloured by. */
export const kPicked = '#e5087e';

/** Where the colours of people begin in their palette. */
export const enum Tint { speed = 0, kind = 64, level = 72, alone = 75, picked = 76 }
export const kPaletteSize = Tint.picked + 1;

/** All colours people can have, as linear numbers. */
export function people_palette(dark: boolean): Float32Array {
  const flat = [...kKindColors, ...kLevelColors, kAloneColor, kPicked].flatMap((text) => rgba(text).slice(0, 3));
  return Float32Array.of(...ramp(kSpeedStops[dark ? 'dark' : 'light'], Tint.kind), ...flat);
}

export interface SceneColors {
  sky: string;
  fog: string;
  earth: string;
  floor: string;
  floor_edge: string;
  wall: string;
  wall_lid: string;
  roof: string;
  edit: string;
  select: string;
  error: string;
  ink: string;
  halo: string;
  hemisphere: [string, string, number];
  sun: [string, number];
}

export const kLight: SceneColors = {
  sky: '#eef1f4', fog: '#eef1f4', earth: '#dfe3e6', floor: '#c9ced2', floor_edge: '#a9b0b6', wall: '#eceae5', wall_lid: '#fbfaf7', roof: '#dcdcda',
  edit: '#0b6bcb', select: '#d55e00', error: '#c4281c', ink: '#16202b', halo: '#ffffff',
  hemisphere: ['#ffffff', '#c3c4c6', 1.75], sun: ['#fff4e4', 2.0],
};

export const kDark: SceneColors = {
  sky: '#10151b', fog: '#10151b', earth: '#161c23', floor: '#35404b', floor_edge: '#46535f', wall: '#596573', wall_lid: '#76838f', roof: '#4c5763',
  edit: '#62b0ff', select: '#ffb454', error: '#ff6b5e', ink: '#eef3f8', halo: '#10151b',
  hemisphere: ['#c9d8ea', '#2a313a', 1.5], sun: ['#ffe9cc', 2.3],
};
