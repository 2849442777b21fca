// SPDX-License-Identifier: MIT
// uPlot in a component: lines over a common axis, or dots.
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { use_signal } from '../state/signal';
import { kKindColors, kKindsOnDark } from '../view/colors';
import { use_app } from '../panels/context';

export interface PlotData {
  x: number[];
  /** Without a colour: the next of the palette. */
  series: { name: string; values: (number | null)[]; color?: string }[];
  x_unit: string;
  style?: 'line' | 'dots' | 'bars';
}

interface Props {
  title: string;
  unit: string;
  /** Where the numbers come from, said on hover. */
  from?: string;
  data: PlotData;
  height: number;
}

function options(props: Props, width: number, dark: boolean): UPlot.Options {
  const ink = dark ? '#aebac6' : '#4a5663';
  const grid = { stroke: dark ? '#2b343e' : '#e3e7eb', width: 1 };
  const colors = dark ? kKindsOnDark : kKindColors;
  const { style = 'line' } = props.data;
  return {
    width,
    height: props.height,
    padding: [8, 18, 0, 0],
    legend: { show: props.data.series.length > 1, live: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false } },
    axes: [
      { stroke: ink, grid, ticks: grid, font: '11px system-ui', size: 28, values: (_plot, splits) => splits.map((value) => `${value}${value === splits.at(-1) ? ` ${props.data.x_unit}` : ''}`) },
      { stroke: ink, grid, ticks: grid, font: '11px system-ui', size: 44 },
    ],
    series: [
      {},
      ...props.data.series.map((one, i): UPlot.Series => {
        const color = one.color ?? (colors[i % colors.length] as string);
        const base: UPlot.Series = { label: one.name, stroke: color, width: 1.5, spanGaps: true, points: { show: style === 'dots', size: 4, fill: color } };
        if (style === 'dots') base.paths = () => null;
        if (style === 'bars') {
          base.fill = `${color}88`;
          const bars = UPlot.paths.bars?.({ size: [0.9, 60] });
          if (bars) base.paths = bars;
        }
        return base;
      }),
    ],
  };
}

function columns(data: PlotData): UPlot.AlignedData {
  return [data.x, ...data.series.map((one) => one.values)] as UPlot.AlignedData;
}

export function Plot(props: Props) {
  const { theme } = use_app();
  const dark = use_signal(theme.dark);
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const shape = `${props.data.series.map((one) => `${one.name} ${one.color}`).join('\n')} ${props.data.style} ${dark} ${props.height}`;
  useEffect(() => {
    const box = holder.current;
    if (!box) return undefined;
    const made = new UPlot(options(props, Math.max(160, box.clientWidth), dark), columns(props.data), box);
    plot.current = made;
    const watcher = new ResizeObserver(() => made.setSize({ width: Math.max(160, box.clientWidth), height: props.height }));
    watcher.observe(box);
    return () => {
      watcher.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(columns(props.data)), [props.data]);
  return (
    <figure class="plot">
      <figcaption title={props.from}>{props.title}<span class="unit">{props.unit}</span></figcaption>
      <div ref={holder} />
    </figure>
  );
}
