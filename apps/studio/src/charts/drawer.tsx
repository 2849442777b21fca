// SPDX-License-Identifier: MIT
// The charts, pulled up from below: live while a run grows, and on recordings.
import { useMemo } from 'preact/hooks';
import { use_app } from '../panels/context';
import type { Series } from '../protocol/messages';
import { place_colors } from '../state/place_colors';
import { use_polled } from '../state/polled';
import { use_signal } from '../state/signal';
import { Plot } from './plot';
import { charts_of } from './series_charts';

const kEveryMs = 1000;
/** Twice as many as a chart has pixels. */
const kPoints = 600;

export function ChartDrawer() {
  const { studio, theme } = use_app();
  const open = use_signal(studio.charts_open);
  const branch = use_signal(studio.cursor).branch;
  const { answer: series, trouble } = use_polled<Series>(
    () => studio.connection.ask('series', { branch, points: kPoints }), () => String(studio.branch(branch)?.end ?? 0), kEveryMs, open ? String(branch) : null,
  );
  const document = use_signal(studio.document);
  const dark = use_signal(theme.dark);
  const colors = useMemo(() => (document ? place_colors(document, dark) : new Map<string, string>()), [document, dark]);
  if (!open) return null;
  return (
    <section class={series && series.time.length > 1 ? 'drawer' : 'drawer bare'} aria-label="Charts" tabIndex={0}>
      {trouble && <p class="empty">{trouble}</p>}
      {series && charts_of(series, colors).map((chart) =>
        chart.data.x.length > 1 && chart.data.series.length > 0
          ? <Plot key={chart.title} title={chart.title} unit={chart.unit} from={chart.from} data={chart.data} height={150} />
          : <figure key={chart.title} class="plot"><figcaption title={chart.from}>{chart.title}</figcaption><p class="empty">{chart.empty}</p></figure>,
      )}
    </section>
  );
}
