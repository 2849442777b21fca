// SPDX-License-Identifier: MIT
// A small curve with its largest value written on it.
import { digits3 } from '../state/numbers';

const kWidth = 240;
const kHeight = 64;

export function curve_path(points: readonly (readonly [number, number])[], width: number, height: number): { path: string; most: number } {
  const first = points[0]?.[0] ?? 0;
  const last = points.at(-1)?.[0] ?? 1;
  const most = points.reduce((high, [, value]) => Math.max(high, value), 0);
  const place = ([t, value]: readonly [number, number]) => `${(((t - first) / (last - first || 1)) * width).toFixed(1)},${(height - (most > 0 ? value / most : 0) * height).toFixed(1)}`;
  return { path: points.map(place).join(' '), most };
}

export function MiniCurve({ points }: { points: readonly (readonly [number, number])[] }) {
  const { path, most } = curve_path(points, kWidth, kHeight);
  return (
    <svg class="mini" viewBox={`0 -12 ${kWidth} ${kHeight + 14}`} role="img" aria-label={`Curve, at most ${digits3(most)}`}>
      <polyline points={path} fill="none" stroke="var(--accent)" stroke-width="1.5" />
      <text x="0" y="-2">{digits3(most)}</text>
    </svg>
  );
}
