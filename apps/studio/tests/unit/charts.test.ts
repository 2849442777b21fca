// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { charts_of, fundamental_diagram, histogram } from '../../src/charts/series_charts';
import type { Series } from '../../src/protocol/messages';

const kSeries: Series = {
  complete: true, time: [0, 1, 2], present: [3, 2, 1], arrived: [0, 1, 2], walking: [3, 2, 1], mean_speed: [1, 1.2, 1.3],
  lines: [{ name: 'door', flow: [0, 1, 2], density: [0, 2, 1], speed: [0, 0.5, 1] }], areas: [{ name: 'hall', density: [3, 0, 1.5], speed: [0.2, 0, 0.9] }],
  travel_times: [10, 20, 20], phases: [],
};

describe('charts', () => {
  it('the fundamental diagram has a dot for each moment at which somebody was there, in the order of density', () => {
    const { x, series } = fundamental_diagram(kSeries);
    expect(x).toEqual([1, 1.5, 2, 3]);
    expect(series).toEqual([{ name: 'hall', values: [null, 0.9, null, 0.2] }, { name: 'door', values: [1, null, 0.5, null] }]);
  });

  it('density is shown of areas and of lines, flow of lines; each chart says where its numbers come from', () => {
    const charts = charts_of(kSeries);
    const named = (title: string) => charts.find((chart) => chart.title === title);
    expect(named('Density')?.data.series).toEqual([{ name: 'hall', values: [3, 0, 1.5] }, { name: 'door', values: [0, 2, 1] }]);
    expect(named('Flow at lines')?.data.series).toEqual([{ name: 'door', values: [0, 1, 2] }]);
    for (const chart of charts) expect(chart.from, chart.title).not.toBe('');
  });

  it('a histogram counts everybody once', () => {
    expect(histogram([10, 20, 20], 2)).toEqual({ x: [12.5, 17.5], counts: [1, 2] });
    expect(histogram([5, 5], 3).counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});
