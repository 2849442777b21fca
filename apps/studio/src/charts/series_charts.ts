// SPDX-License-Identifier: MIT
// What the charts show, from the columns the server sends.
import type { Series } from '../protocol/messages';
import type { PlotData } from './plot';

export interface Chart {
  title: string;
  unit: string;
  data: PlotData;
  /** Shown instead while there is nothing. */
  empty: string;
  /** Where its numbers come from. */
  from: string;
}

export function histogram(values: readonly number[], bins: number): { x: number[]; counts: number[] } {
  if (values.length === 0) return { x: [], counts: [] };
  const low = Math.min(...values);
  const width = (Math.max(...values) - low) / bins || 1;
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return { x: counts.map((_, k) => low + (k + 0.5) * width), counts };
}

/** Where density and speed are measured: in areas, and beside lines. */
function measured(series: Series): Series['areas'] {
  return [...series.areas, ...series.lines];
}

/** Density against speed of all that is measured; uPlot wants the abscissa in order. */
export function fundamental_diagram(series: Series, colors: ReadonlyMap<string, string> = new Map()): PlotData {
  const places = measured(series);
  const all = places.flatMap((place, which) => place.density.map((density, i) => ({ density, speed: place.speed[i] ?? null, which })));
  const dots = all.filter((dot) => dot.density > 0 && dot.speed !== null).sort((a, b) => a.density - b.density);
  return {
    x: dots.map((dot) => dot.density),
    series: places.map((place, which) => ({ name: place.name, ...colored(colors, place.name), values: dots.map((dot) => (dot.which === which ? dot.speed : null)) })),
    x_unit: '1/m²',
    style: 'dots',
  };
}

function colored(colors: ReadonlyMap<string, string>, name: string): { color?: string } {
  const color = colors.get(name);
  return color === undefined ? {} : { color };
}

/** `colors`: of places, by name, the same in every chart. */
export function charts_of(series: Series, colors: ReadonlyMap<string, string> = new Map()): Chart[] {
  const over_time = (columns: { name: string; values: number[]; color?: string }[]): PlotData => ({ x: series.time, series: columns, x_unit: 's' });
  const travel = histogram(series.travel_times, 24);
  const idle = 'Press Space to run.';
  return [
    { title: 'People', unit: 'people', data: over_time([{ name: 'present', values: series.present }, { name: 'walking', values: series.walking }, { name: 'arrived', values: series.arrived }]), empty: idle, from: 'Counted in every frame; who walks is faster than 0.1 m/s' },
    { title: 'Mean speed', unit: 'm/s', data: over_time([{ name: 'mean speed', values: series.mean_speed }]), empty: idle, from: 'Of those who walk' },
    { title: 'Arrived, by goal', unit: 'people', data: over_time((series.goals ?? []).map((goal) => ({ name: goal.name, values: goal.arrived, ...colored(colors, goal.name) }))), empty: 'Nobody has arrived yet.', from: 'Who reached each goal area, so far' },
    { title: 'Flow at lines', unit: 'people/s', data: over_time(series.lines.map((line) => ({ name: line.name, values: line.flow, ...colored(colors, line.name) }))), empty: series.lines.length > 0 ? idle : 'No measuring lines: press M and click the two ends of one.', from: 'Who crossed each line, both ways, over the last 5 s' },
    { title: 'Density', unit: '1/m²', data: over_time(measured(series).map((place) => ({ name: place.name, values: place.density, ...colored(colors, place.name) }))), empty: measured(series).length > 0 ? idle : 'Nothing is measured: press M for a line, or tick “measured” of an area.', from: 'In measured areas, and within 1 m of measuring lines on either side' },
    { title: 'Travel times', unit: 'people', data: { x: travel.x, series: [{ name: 'people', values: travel.counts }], x_unit: 's', style: 'bars' }, empty: 'Nobody has arrived yet.', from: 'Of those who have arrived, since they were there' },
    { title: 'Fundamental diagram', unit: 'm/s', data: fundamental_diagram(series, colors), empty: 'Needs a measured area or line with people there.', from: 'Mean speed against density, a dot for each moment' },
    { title: 'Step time by phase', unit: 'ms', data: over_time(series.phases.map((phase) => ({ name: phase.name, values: phase.ms }))), empty: 'Measured while a run computes.', from: 'Of the engine, for each step' },
  ];
}
